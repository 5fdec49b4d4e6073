import pytest
from hypothesis import given
from hypothesis import strategies as st

from treering.importers.slack_blocks import attachment_text, blocks_text
from treering.importers.slack_emoji import emojized
from treering.importers.slack_json import micros_of, moment_of, stamp_of, stripped
from treering.importers.slack_text import Found, Names, mrkdwn

NAMES = Names(people={"U0INA": "Ina", "U0LT": "<b> & co"}, places={"C0OPS": "ops"})


def read(text: str) -> str:
    return mrkdwn(text, NAMES, Found())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("use &amp;lt; not &lt;", "use &lt; not <"),
        ("a &amp;amp; &quot;", "a &amp; &quot;"),
        ("<@U0INA> <@U0INA|ina.r> <@U0EXT|mia> <@U0EXT>", "@Ina @Ina @mia @U0EXT"),
        ("<@U0LT>", "@<b> & co"),
        ("<#C0OPS> <#C0OPS|old-ops> <#C0OPS|> <#G0SEC|>", "#ops #old-ops #ops #G0SEC"),
        ("<!channel> <!here|here> <!everyone>", "@channel @here @everyone"),
        ("<!subteam^S0A|@leads> <!subteam^S0A>", "@leads @S0A"),
        ("<!date^1709546400^{date}^https://w.example|March 4th>", "March 4th (https://w.example)"),
        ("<!date^1709546400^{date}|March 4th>", "March 4th"),
        ("<https://w.example/a?b=1&amp;c=2|the &lt;wiki&gt;>", "the <wiki> (https://w.example/a?b=1&c=2)"),
        ("<http://w.example|w.example> <https://w.example>", "http://w.example https://w.example"),
        ("<mailto:ina@w.example|ina@w.example>", "ina@w.example"),
        ("<tel:+123|call> <ftp://w.example/x>", "call (tel:+123) ftp://w.example/x"),
        ("if a < b and b > c, x<y>z", "if a < b and b > c, x<y>z"),
        ("*bold* _it_ `code` snake_case\n> quote", "*bold* _it_ `code` snake_case\n> quote"),
        ("", ""),
    ],
)
def test_mrkdwn_reads_as_its_readers_saw_it(text: str, expected: str):
    assert read(text) == expected


def test_only_mention_tokens_are_mentions_and_only_web_addresses_links():
    found = Found()
    mrkdwn("<@U0INA> @Ina Ina <@U0B|bo> <!here> <https://a.example|x> <mailto:a@b.example> <#C0OPS>", NAMES, found)
    assert list(found.mentions) == ["U0INA", "U0B"]
    assert list(found.links) == ["https://a.example"]


@given(st.text())
def test_text_without_tokens_entities_or_emoji_is_unchanged(text: str):
    plain = text.replace("<", "").replace("&", "").replace(":", "")
    assert read(plain) == plain


@given(st.text())
def test_text_that_slack_escaped_comes_back(text: str):
    plain = text.replace(":", "")
    assert read(plain.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")) == plain


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (":wave:", "👋"),
        (":wave::skin-tone-3:", "👋🏼"),
        (":+1::skin-tone-2::tada:", "👍🏻🎉"),
        (":man-shrugging::skin-tone-6:", "🤷🏿\u200d♂️"),
        (":flag-pt: :female-technologist: :simple_smile:", "🇵🇹 👩\u200d💻 🙂"),
        (":party-parrot: :no_such_thing::skin-tone-2:", ":party-parrot: :no_such_thing::skin-tone-2:"),
        ("10:30:45 a:key:b std::map::key", "10:30:45 a:key:b std::map::key"),
        ("`:wave:` ```\n:wave:\n``` :wave:", "`:wave:` ```\n:wave:\n``` 👋"),
    ],
)
def test_emoji_codes_become_characters_outside_of_code(text: str, expected: str):
    assert emojized(text) == expected


def test_rich_text_keeps_lists_quotes_code_and_names():
    section = [
        {"type": "text", "text": "see <b> & ", "style": {"bold": True}},
        {"type": "link", "url": "https://w.example", "text": "wiki"},
        {"type": "text", "text": " "},
        {"type": "user", "user_id": "U0INA"},
        {"type": "emoji", "name": "wave", "skin_tone": 3},
        {"type": "broadcast", "range": "here"},
        {"type": "channel", "channel_id": "C0OPS"},
        {"type": "hologram", "text": "?"},
    ]
    items = [{"type": "rich_text_section", "elements": [{"type": "text", "text": text}]} for text in ("one", "two")]
    block: dict[str, object] = {
        "type": "rich_text",
        "elements": [
            {"type": "rich_text_section", "elements": section},
            {"type": "rich_text_list", "style": "ordered", "indent": 1, "elements": items},
            {"type": "rich_text_list", "style": "bullet", "elements": items[:1]},
            {"type": "rich_text_quote", "elements": [{"type": "text", "text": "a\nb"}]},
            {"type": "rich_text_preformatted", "elements": [{"type": "text", "text": "x = 1"}]},
            {"type": "unknown_block"},
        ],
    }
    found = Found()
    assert blocks_text([block], NAMES, found).split("\n") == [
        "see <b> & wiki (https://w.example) @Ina👋🏼@here#ops?",
        "  1. one",
        "  2. two",
        "• one",
        "> a",
        "> b",
        "```",
        "x = 1",
        "```",
    ]
    assert list(found.mentions) == ["U0INA"]


def test_layout_blocks_give_every_text_in_them_in_order():
    blocks: list[dict[str, object]] = [
        {"type": "header", "text": {"type": "plain_text", "text": "CPU &amp; disk :fire:"}},
        {"type": "section", "text": {"type": "mrkdwn", "text": "<https://w.example|RUN-31>"}, "block_id": "x"},
        {"type": "section", "fields": [{"type": "mrkdwn", "text": "*host*"}, {"type": "mrkdwn", "text": "web-7"}]},
        {"type": "context", "elements": [{"type": "image", "alt_text": "graph"}, {"type": "mrkdwn", "text": "by Ina"}]},
        {"type": "divider"},
        {
            "type": "actions",
            "elements": [{"type": "button", "text": {"type": "plain_text", "text": "Ack"}, "value": "v"}],
        },
        {"type": "table", "rows": [[{"type": "raw_text", "text": "a"}, {"type": "raw_text", "text": "b"}]]},
        {"type": "hologram", "text": "unknown, and still text"},
    ]
    assert blocks_text(blocks, NAMES, Found()).split("\n") == [
        "CPU & disk 🔥",
        "RUN-31 (https://w.example)",
        "*host*",
        "web-7",
        "graph",
        "by Ina",
        "Ack",
        "a",
        "b",
        "unknown, and still text",
    ]


def test_blocks_nested_without_end_are_cut_off():
    block: dict[str, object] = {"type": "x", "text": "deep"}
    for _ in range(500):
        block = {"type": "x", "elements": [block]}
    assert blocks_text([block], NAMES, Found()) == ""


def test_an_attachment_shows_its_texts_or_else_its_fallback_and_then_its_fields():
    fields = [{"title": "Runbook", "value": "<https://w.example|RUN-31>"}, {"title": "", "value": "x"}, {"title": "y"}]
    alert: dict[str, object] = {"fallback": "disk full on web-7", "fields": fields}
    assert attachment_text(alert, NAMES, Found()) == "disk full on web-7\nRunbook: RUN-31 (https://w.example)\nx\ny"
    full: dict[str, object] = {
        "fallback": "f",
        "pretext": "p",
        "title": "t",
        "title_link": "https://t.example",
        "text": "b",
    }
    assert attachment_text(full, NAMES, Found()) == "p\nt (https://t.example)\nb"
    blocks = [{"type": "section", "text": {"type": "mrkdwn", "text": "in a block"}}]
    nested: dict[str, object] = {"fallback": "[no preview available]", "blocks": blocks}
    assert attachment_text(nested, NAMES, Found()) == "in a block"
    assert attachment_text({"message_blocks": [{"message": {"blocks": blocks}}]}, NAMES, Found()) == "in a block"


@given(st.integers(1, 4_102_444_799_999_999))
def test_time_stamps_are_exact_to_the_microsecond(micros: int):
    assert micros_of(stamp_of(micros)) == micros
    moment = moment_of(micros)
    assert int(moment.timestamp()) * 1_000_000 + moment.microsecond == micros


@pytest.mark.parametrize(
    "value", [None, "", "x", "NaN", "1.2.3", "-1.0", "1e9", "0.000000", True, [], float("inf"), "١.٠"]
)
def test_what_is_no_time_stamp_is_none(value: object):
    assert micros_of(value) is None


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("https://f.example/a?t=xoxe-1-ab&v=1", "https://f.example/a?v=1"),
        ("https://f.example/a?v=1&t=xoxe-1-ab", "https://f.example/a?v=1"),
        ("token xoxe.xoxp-1-abc_D, xoxb-1", "token [token removed], [token removed]"),
        ("a fox or an oxox", "a fox or an oxox"),
    ],
)
def test_tokens_are_removed(text: str, expected: str):
    assert stripped(text) == expected
