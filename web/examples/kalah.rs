//! The module of kalah.

retrograde::web_module!(retrograde_games::kalah::Kalah);
