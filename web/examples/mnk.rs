//! The module of mnk.

retrograde::web_module!(retrograde_games::mnk::Mnk);
