//! The module of awari.

retrograde::web_module!(retrograde_games::awari::Awari);
