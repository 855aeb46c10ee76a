//! Wrong answers that were once given, one file each.

mod output_that_is_added_to;
