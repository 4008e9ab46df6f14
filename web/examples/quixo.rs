//! The module of quixo.

retrograde::web_module!(retrograde_games::quixo::Quixo);
