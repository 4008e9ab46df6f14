//! The module of gobblet.

retrograde::web_module!(retrograde_games::gobblet::Gobblet);
