"""One analyzer for index and question: what finds what."""

from time import perf_counter
from unicodedata import normalize

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from treering.text import analysis
from treering.text.analysis import analyze, analyze_query

UNTIMED = settings(deadline=None)  # a busy machine is no defect of the analyzer


def hits(question: str, text: str) -> bool:
    return not set(analyze_query(question)).isdisjoint(analyze(text))


def shared(question: str, text: str) -> int:
    return len(set(analyze_query(question)) & set(analyze(text)))


# Identifiers (S01)


@pytest.mark.parametrize("text", ["ABC-123 blocked", "see https://t.example/ABC-123", "[ABC-123](x)", "was abc-123?"])
def test_a_ticket_is_found_in_text_address_and_markup(text):
    assert hits("ABC-123", text)


@pytest.mark.parametrize("text", ["abc-1234", "ABC-1234 and ABC-12", "the abc of 123 things", "XABC-123"])
def test_a_ticket_does_not_find_its_neighbours_or_its_parts(text):
    assert not hits("ABC-123", text)


def test_a_ticket_typed_in_lower_case_finds_the_ticket_first():
    assert shared("abc-123", "ABC-123 blocked") > shared("abc-123", "abc-1234")


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("v1.2.3", "shipped v1.2.3 today"),
        ("1.2.3", "shipped v1.2.3 today"),
        ("v1.2.3", "shipped 1.2.3 today"),
        ("#1234", "fixes #1234."),
        ("#1234", "fixes org/repo#1234"),
        ("repo#12", "fixes org/repo#12"),
        ("1234", "fixes #1234"),
        ("file_name.py", "in src/file_name.py:12"),
        ("name", "in file_name.py"),
        ("bar", "see foo/bar"),
        ("foo/bar", "see foo/bar"),
        ("user name", "call getUserName()"),
        ("getusername", "call getUserName()"),
        ("ana@x.example", "mail Ana@x.example"),
        ("2025-12-02", "due 2025-12-02."),
        ("covid", "because of COVID-19"),
        ("COVID-19", "covid cases"),
    ],
)
def test_identifiers_are_found_whole_and_by_their_parts(question, text):
    assert hits(question, text)


@pytest.mark.parametrize(("question", "text"), [("v1.2.3", "v1.2.4"), ("1.2.3", "3.2.1"), ("10:30", "30 on floor 10")])
def test_numbers_with_parts_ask_for_the_whole_alone(question, text):
    assert not hits(question, text)


# Names that end or begin in signs (S05)


def test_cpp_csharp_and_c_are_three_languages():
    texts = ["C++ build", "plan C", "C# build"]
    assert [hits("C++", text) for text in texts] == [True, False, False]
    assert [hits("C#", text) for text in texts] == [False, False, True]
    assert [hits("c", text) for text in texts] == [False, True, False]


def test_a_version_of_cpp_is_cpp():
    assert hits("C++", "we compile with C++17")
    assert not hits("c", "we compile with C++17")


def test_dot_net_is_found_first_by_its_own_name():
    assert shared(".NET", "ported to .NET") > shared(".NET", "the net result")
    assert hits("net", "ported to .NET")


# Signs that query languages take for operators (S02, S03)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("TODO: fix", "TODO: fix the build"),
        ("error:timeout", "error:timeout in worker"),
        ("timeout", "error:timeout in worker"),
        ("ns::fa", "calls ns::fa(x)"),
        ("don't use", "we don’t use it"),
        ("(maybe))?", "maybe later"),
        ('"unbalanced', "an unbalanced quote"),
        ("NOT released", "not released"),
        ("fix AND test", "fix and test"),
        ("<x>", "x marks it"),
        ("-flag --all", "flag all"),
        ("deploy*", "deploy"),
        ("alice's", "ask Alice"),
    ],
)
def test_operators_are_text(question, text):
    assert hits(question, text)


@pytest.mark.parametrize(
    "text", ["", " \n\t", '"', "--", "()", "?!…", "***", "'", "::", "$", "\u200b", ":-:", "_", "\ufe0f"]
)
def test_texts_without_a_token_have_no_terms(text):
    assert analyze(text) == []
    assert analyze_query(text) == []


# Scripts without spaces (S06) and glued scripts (S07)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("权威事实", "把机器推论洗成权威事实"),
        ("事实", "把机器推论洗成权威事实"),
        ("洗", "把机器推论洗成权威事实"),
        ("日本", "日本"),
        ("日本", "昨日は日本にいた"),
        ("日", "昨日は日本にいた"),
        ("끝말잇기", "오늘은 끝말잇기를 했다"),
        ("しりとり", "みんなでしりとりをした"),
        ("ｶﾀｶﾅ", "カタカナで書く"),
        ("ประชุม", "วันนี้ประชุมทีม"),
        ("𠮷野", "𠮷野家"),
    ],
)
def test_words_are_found_inside_unspaced_text(question, text):
    assert hits(question, text)


def test_pairs_are_not_found_apart():
    assert not hits("事实", "事情属实")


@pytest.mark.parametrize(
    ("question", "text"),
    [("itgc", "重跑gen-itgc后"), ("gen-itgc", "重跑gen-itgc后"), ("test", "тестtest"), ("ABC-123", "修复ABC-123了")],
)
def test_scripts_are_parted_where_they_meet(question, text):
    assert hits(question, text)


# Accents and vowel points


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("cafe", "Café"),
        ("CAFÉ", "cafe"),
        ("smorrebrod", "smørrebrød"),
        ("strasse", "STRAẞE Straße"),
        ("lodz", "Łódź"),
        ("ｆｕｌｌ", "full width"),
        ("ﬁle", "file"),
        ("تقنية", "تِقْنِيَة"),
        ("احمد", "أحمد"),
        ("تقنية", "تقـــنية"),
        ("שלום", "שָׁלוֹם"),
        ("истанбул", "ИСТАНБУЛ"),
        ("istanbul", "İSTANBUL"),
        ("елка", "Ёлка"),
        ("slack", "Slack™"),
        ("34", "٣٤"),
        ("cooperate", "co\u00adoperate"),
    ],
)
def test_marks_that_readers_leave_out_make_no_difference(question, text):
    assert hits(question, text)


def test_vowel_signs_of_indic_and_thai_scripts_make_a_difference():
    assert analyze("हिन्दी") == ["हिन्दी"]
    assert not hits("कि", "की")
    assert not hits("กิ", "กุ")


# Pictographs (S09)


@pytest.mark.parametrize(
    ("question", "text"),
    [
        ("🔥", "prod is on 🔥🔥"),
        ("🔥", "prod is on :fire:"),
        (":fire:", "prod is on 🔥"),
        ("❤️", "we ❤ it"),
        ("❤", "we ❤️ it"),
        ("👍", "👍🏽"),
        ("👍🏽", "👍"),
        (":+1:", "👍"),
        (":thumbsup:", ":+1::skin-tone-4:"),
        ("👨‍👩‍👧", "the 👨‍👩‍👧 plan"),
        ("🇩🇪", "offices in 🇩🇪🇫🇷"),
        ("1️⃣", "step 1️⃣"),
        (":party-parrot:", "yes :party-parrot:"),
        ("✓", "✓ done"),
    ],
)
def test_pictographs_are_terms_in_all_their_spellings(question, text):
    assert hits(question, text)


@pytest.mark.parametrize(
    ("question", "text"), [("❤️", "⚠️"), ("👨‍👩‍👧", "👨 and 👩"), ("👧", "👨‍👩‍👧"), ("🇩🇪", "🇫🇷"), ("🔥", "fire")]
)
def test_pictographs_do_not_find_each_other_by_what_joins_them(question, text):
    assert not hits(question, text)


def test_a_skin_tone_counts_for_more_when_it_is_the_same():
    assert shared("👍🏽", "👍🏽") > shared("👍🏽", "👍🏻")


def test_a_time_between_colons_is_no_shortcode():
    assert "10:30:00" in analyze("at 10:30:00 sharp")


# English


def test_forms_of_a_word_find_each_other():
    assert hits("release", "it was released")
    assert hits("owners", "who is the owner?")


def test_identifiers_are_not_stemmed():
    assert "releases.txt" in analyze("releases.txt")


def test_stop_words_are_dropped_from_questions_while_anything_else_is_left():
    assert analyze_query("what is the status of the build?") == ["status", "build"]
    assert analyze_query("who is it?") == ["who", "is", "it"]
    assert analyze("who is it?") == ["who", "is", "it"]


def test_a_question_asks_for_each_term_once_in_order():
    assert analyze_query("build, BUILD and test the builds") == ["build", "test"]


# Anything at all

WORDS = ["ABC-123", "C++", "#12", ".net", "v1.2", "don't", "a/b", "x_y", "getName", ":fire:", "A", "7", "ß", "Σ"]
PIECES = ["日本", "が", "é", "e\u0301", "🔥", "\u200d", "\ufe0f", "ประ", "हि", "أ", "\u0651", *" .:-'#+/"]
anything = st.text(max_size=60) | st.lists(st.sampled_from(WORDS + PIECES), max_size=12).map("".join)


@UNTIMED
@given(anything)
def test_both_normal_forms_give_the_same_terms(text):
    composed, decomposed = normalize("NFC", text), normalize("NFD", text)
    assert analyze(composed) == analyze(decomposed)
    assert analyze_query(composed) == analyze_query(decomposed)


@UNTIMED
@given(anything)
def test_a_question_asks_for_nothing_that_its_own_text_is_not_indexed_under(text):
    asked = analyze_query(text)
    assert set(asked) <= set(analyze(text))
    assert len(asked) == len(set(asked))
    assert bool(asked) == bool(analyze(text))


@UNTIMED
@given(anything)
def test_terms_are_never_empty_and_hold_no_white_space(text):
    assert all(term and not any(map(str.isspace, term)) for term in analyze(text))


@UNTIMED
@given(st.text(st.characters(max_codepoint=127), max_size=40) | anything.filter(str.isascii))
def test_the_fast_expression_for_ascii_cuts_like_the_full_one(text):
    assert analysis._ASCII_TOKEN.findall(text) == analysis._TOKEN.findall(text)


@UNTIMED
@given(anything, anything)
def test_what_stands_on_another_line_changes_no_term(one, other):
    assert analyze(f"{one}\n{other}") == analyze(one) + analyze(other)


# Size (S10). Bounds are generous: they catch work that grows with the square of the length, which takes minutes.


@pytest.mark.parametrize(
    "unit",
    ["word ", "a-", "x", "é.b/", "重跑", ":a", "🔥", "'", "#1", "\u0301", "A1", "a::", "+", "a.", "aB", "👍🏽\u200d"],
)
def test_forty_thousand_characters_take_no_longer_than_they_must(unit):
    text = (unit * 40_000)[:40_000]
    started = perf_counter()
    analyze(text)
    analyze_query(text)
    assert perf_counter() - started < 5


def test_a_pasted_log_that_ends_in_a_question_asks_for_its_rare_terms():
    log = "\n".join(f"2025-12-02T10:30:{n % 60:02} worker-{n % 7} ERROR ABC-{n} timeout" for n in range(800))
    asked = analyze_query(f"{log}\nwhich ticket was this?")
    assert {"abc-799", "ticket", "timeout"} <= set(asked)
