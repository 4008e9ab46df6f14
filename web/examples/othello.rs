//! The module of othello.

retrograde::web_module!(retrograde_games::othello::Othello);
