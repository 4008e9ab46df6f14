//! The module of cat-mouse-grid.

retrograde::web_module!(retrograde_games::cat_mouse_grid::CatMouseGrid);
