//! The module of dobutsu.

retrograde::web_module!(retrograde_games::dobutsu::Dobutsu);
