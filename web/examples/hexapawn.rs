//! The module of hexapawn.

retrograde::web_module!(retrograde_games::hexapawn::Hexapawn);
