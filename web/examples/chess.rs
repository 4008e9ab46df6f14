//! The module of chess.

retrograde::web_module!(retrograde_games::chess::Chess);
