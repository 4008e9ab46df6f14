//! The module of connect-four.

retrograde::web_module!(retrograde_games::connect_four::ConnectFour);
