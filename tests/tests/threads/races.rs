//! Requests at once on two servers with one file of SQLite, and a slow reader.

use agui_tests::stored::file::two_on_sqlite;
use agui_tests::stored::races;

#[tokio::test(flavor = "multi_thread")]
async fn of_two_answers_at_once_one_counts() {
    let (_folder, logs) = two_on_sqlite();
    races::of_two_answers_one_counts(logs).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn one_id_at_once_is_one_run() {
    let (_folder, logs) = two_on_sqlite();
    races::one_id_is_one_run(logs).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_reader_slower_than_the_trim_is_cut_off_and_comes_back() {
    let (_folder, logs) = two_on_sqlite();
    races::a_reader_slower_than_the_trim_is_cut_off_and_comes_back(logs).await;
}
