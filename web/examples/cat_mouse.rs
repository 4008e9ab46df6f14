//! The module of cat-mouse.

retrograde::web_module!(retrograde_games::cat_mouse::CatMouse);
