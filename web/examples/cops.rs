//! The module of cops and robbers.

retrograde::web_module!(retrograde_games::cops::Cops);
