//! The module of Bobail.

retrograde::web_module!(retrograde_games::bobail::Bobail);
