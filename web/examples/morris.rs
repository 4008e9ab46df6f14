//! The module of morris.

retrograde::web_module!(retrograde_games::morris::Morris);
