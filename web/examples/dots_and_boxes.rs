//! The module of dots-and-boxes.

retrograde::web_module!(retrograde_games::dots_and_boxes::DotsAndBoxes);
