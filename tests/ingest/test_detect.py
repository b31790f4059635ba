from __future__ import annotations

import math
import subprocess
import sys

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from smallprint.ingest.detect import (
    POLICY_THRESHOLD,
    by_phrases,
    language,
    language_name,
    looks_like_login_wall,
    looks_script_filled,
    p_policy,
)
from smallprint.models.detector import Detector

POLICY = """We collect the personal information you give us when you open an account, such as your name and email
address. We may share it with service providers that work for us. We log your IP address and delete your data
when you close the account. This privacy policy also says how we protect your privacy and what your rights are."""
TERMS = """These terms of service are an agreement between you and us. By using the site you agree to be bound by
these terms. You must not infringe any copyright. We may suspend or terminate your account if you violate them.
The governing law is that of Iceland, and disputes go to arbitration."""
COOKIES = """A cookie is a small file. We set session cookies and other types of cookies; some are strictly
necessary. You can change your browser settings to refuse them."""
RECIPE = """Melt the butter in a heavy pan, stir in the flour and let it turn golden. Add the stock a ladle at a
time, then the leeks, and simmer until they are soft enough to be pressed through a sieve."""
NEWS = """The city council voted on Tuesday to build a new tram line from the harbour to the university. The line
is to open in four years and will carry up to nine thousand passengers an hour, the mayor said."""


@pytest.mark.parametrize("title", ["Privacy Policy", "Acme | Privacy notice", ""])
def test_a_policy_is_likely_one(title: str) -> None:
    assert p_policy(title, POLICY * 3) > 0.9


def test_a_short_paste_without_title_is_enough() -> None:
    assert p_policy("", POLICY) >= POLICY_THRESHOLD


@pytest.mark.parametrize(
    ("title", "text"),
    [
        ("Terms of Service", TERMS),
        ("Cookie Policy", COOKIES),
        ("Leek soup", RECIPE),
        ("", NEWS),
        ("Acme", "Welcome to Acme. Order now. Terms of use. Privacy policy."),
        ("Privacy Policy", "Privacy Policy"),
        ("", ""),
    ],
)
def test_other_texts_are_unlikely(title: str, text: str) -> None:
    assert p_policy(title, text) < POLICY_THRESHOLD


@pytest.mark.parametrize("text", [POLICY, TERMS, RECIPE])
def test_phrases_and_the_trained_detector_have_their_say(text: str) -> None:
    both = by_phrases("", text) + Detector.load().logit(f"\n{text}")
    assert p_policy("", text) == pytest.approx(1 / (1 + math.exp(-both)))


def test_the_title_counts() -> None:
    assert p_policy("Privacy Policy", NEWS) > p_policy("Local news", NEWS)


def test_only_the_beginning_is_read() -> None:
    assert p_policy("", NEWS * 100 + POLICY) == p_policy("", NEWS * 100)


@given(st.text(max_size=300), st.text(max_size=300))
@settings(deadline=None)
def test_a_probability_for_any_text(title: str, text: str) -> None:
    assert 0 <= p_policy(title, text) <= 1


@pytest.mark.parametrize(
    ("code", "name", "text"),
    [
        ("de", "German", "Wir erheben die Daten, die Sie uns mitteilen, und geben sie nur an Dienstleister weiter."),
        ("fr", "French", "Nous recueillons les informations que vous nous donnez lors de la création d'un compte."),
        ("es", "Spanish", "Recogemos la información que usted nos facilita al crear una cuenta, como su nombre."),
        ("it", "Italian", "Raccogliamo le informazioni che ci fornisci quando crei un account sul nostro sito."),
        ("nl", "Dutch", "Wij verzamelen de gegevens die u ons geeft wanneer u een account aanmaakt bij ons."),
        ("pl", "Polish", "Zbieramy informacje, które podajesz podczas zakładania konta w naszym serwisie."),
        ("sv", "Swedish", "Vi samlar in de uppgifter du lämnar när du skapar ett konto hos oss."),
        ("ru", "Russian", "Мы собираем сведения, которые вы сообщаете при создании учётной записи."),
        ("ja", "Japanese", "当社は、アカウント作成時にお客様が提供する氏名などの情報を収集します。"),
        ("zh", "Chinese", "我们收集您在创建账户时提供的信息，例如姓名、电子邮件地址和电话号码。"),
    ],
)
def test_languages_are_told_apart_and_named(code: str, name: str, text: str) -> None:
    assert (language(text), language_name(code)) == (code, name)


def test_english_words_inside_do_not_make_german_english() -> None:
    text = "Wir nutzen Google Analytics, Cookies, Single Sign-on und den Dienst Amazon Web Services für Ihre Daten. "
    assert language(text * 3 + "Opt out here.") == "de"


@pytest.mark.parametrize("text", ["", "Privacy Policy", "Data retention", "We use SSL.", "12345 67890 " * 20, POLICY])
def test_english_or_too_little_to_tell(text: str) -> None:
    assert language(text) == "en"


def test_plain_english_loads_no_language_model() -> None:
    code = (
        "import sys; from smallprint.ingest.detect import language;"
        f"assert language({POLICY!r}) == 'en'; sys.exit('py3langid' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_an_unnamed_language_has_words_too() -> None:
    assert language_name("xx") == "another language"


FORM = "<form><input name=u><input  id=p TYPE='password'><button>Go</button></form>"


@pytest.mark.parametrize(
    ("markup", "text", "wall"),
    [
        (FORM, "Welcome back. Email Password", True),
        ("<p>Please log in to continue</p>", "Please log in to continue", True),
        ("<p>You must be signed in.</p>", "You must be signed in.", True),
        (FORM, POLICY * 6, False),
        ("<p>x</p>", POLICY * 2 + " Sign in to your account to delete it.", False),
        ("<input type=text>", "Search", False),
    ],
)
def test_login_walls(markup: str, text: str, wall: bool) -> None:
    assert looks_like_login_wall(markup, text) is wall


SHELL = "<body><div id='root'></div><script src=/app.js></script></body>"
WORDS = "one two three four five " * 5


@pytest.mark.parametrize(
    ("markup", "text", "filled"),
    [
        (SHELL, "", True),
        (SHELL, WORDS, True),
        ("<script></script><noscript>Please enable JavaScript to go on.</noscript>", WORDS, True),
        ("<SCRIPT>x</SCRIPT>", "Acme", True),
        ("<p>Acme</p>", "Acme", False),
        ("<script></script><p>…</p>", WORDS, False),
        (SHELL, POLICY * 2, False),
    ],
)
def test_pages_that_scripts_fill(markup: str, text: str, filled: bool) -> None:
    assert looks_script_filled(markup, text) is filled
