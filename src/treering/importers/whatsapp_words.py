"""What WhatsApp itself writes into an exported chat, in the languages of the phones that exports are made on.

What is not recognised here stays text, or a line of the app's: an unknown language loses nothing, and is but searched
where it need not be. No person's words are here.
"""

import re
import unicodedata

__all__ = ["MARKS", "attached_file", "chat_name", "is_afternoon", "is_deleted", "is_left_out", "without_edit_mark"]

MARKS = "\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff"  # invisible characters that set the direction of writing

# Halves of the day; compared by their letters alone, so that "a. m." is "am".
_MORNING = """
am ص صباحا 上午 凌晨 早上 午前 오전 πμ öö sa vorm ap fm de dop pg पूर्वाह्न לפנה״צ ق.ظ пр.об ก่อนเที่ยง পূর্বাহ্ণ
"""
_AFTERNOON = """
pm م مساء 下午 晚上 中午 午後 오후 μμ ös ch nachm ip em du odp ptg अपराह्न אחה״צ ب.ظ сл.об หลังเที่ยง অপরাহ্ণ
"""
_DELETED = """
this message was deleted|you deleted this message|diese nachricht wurde gelöscht|du hast diese nachricht gelöscht
se eliminó este mensaje|este mensaje fue eliminado|eliminaste este mensaje|esta mensagem foi apagada|mensagem apagada
essa mensagem foi apagada|você apagou esta mensagem|apagou esta mensagem|ce message a été supprimé
ce message a été effacé|vous avez supprimé ce message|vous avez effacé ce message|questo messaggio è stato eliminato
hai eliminato questo messaggio|dit bericht is verwijderd|je hebt dit bericht verwijderd|данное сообщение удалено
вы удалили данное сообщение|это сообщение удалено|сообщение удалено|bu mesaj silindi|bu mesajı sildiniz
ta wiadomość została usunięta|usunięto tę wiadomość|det här meddelandet togs bort|du tog bort det här meddelandet
denne besked blev slettet|denne meldingen ble slettet|tämä viesti poistettiin|poistit tämän viestin
تم حذف هذه الرسالة|لقد حذفت هذه الرسالة|حذفت هذه الرسالة|הודעה זו נמחקה|מחקת הודעה זו|pesan ini telah dihapus
anda telah menghapus pesan ini|यह संदेश हटा दिया गया|此消息已删除|你删除了此消息|此訊息已刪除|您已刪除此訊息
このメッセージは削除されました|あなたはこのメッセージを削除しました|삭제된 메시지입니다|내가 삭제한 메시지입니다
"""
_DELETED_BY = ("this message was deleted by admin", "diese nachricht wurde von admin", "un administrador eliminó")
_EDITED = """
this message was edited|diese nachricht wurde bearbeitet|se editó este mensaje|esta mensagem foi editada
mensagem editada|ce message a été modifié|questo messaggio è stato modificato|dit bericht is bewerkt
данное сообщение изменено|это сообщение изменено|bu mesaj düzenlendi
"""
_LEFT_OUT = """
media omitted|medien ausgeschlossen|medien weggelassen|multimedia omitido|archivo omitido|mídia oculta|médias omis
arquivo de mídia oculto|ficheiro não revelado|media omessi|media weggelaten|без медиафайлов|медиафайл пропущен
medya dahil edilmedi|pominięto multimedia|media har utelämnats|medie udeladt|mediefil utelatt|media jätetty pois
média vynechány|media omise|hiányzó médiafájl|تم استبعاد الوسائط|המדיה לא נכללה|media tidak disertakan|मीडिया के बिना
省略多媒体文件|忽略多媒體檔|メディアは含まれていません|미디어 파일 제외됨
"""
# The last words of "image omitted", "Bild weggelassen", "immagine omessa" ...
_LEFT_OUT_ENDINGS = """
omitted weggelassen ausgelassen omitido omitida ocultado ocultada oculto oculta omis omise absente absent retiré
retirée manquant omesso omessa esclusa escluso weggelaten отсутствует пропущено edilmedi pominięto udeladt utelatt
"""
_ATTACHED = """
file attached|datei angehängt|archivo adjunto|arquivo anexado|ficheiro anexado|fichier joint|file allegato
bestand bijgevoegd|файл добавлен|dosya ekli|plik załączony|bifogad fil|vedhæftet fil|fil vedlagt|الملف مرفق|הקובץ מצורף
文件附件|附件檔|添付ファイル|파일 첨부됨|file terlampir|फ़ाइल संलग्न
"""

MARK_CHARS_MAX = 100  # from the end of a text, within which a mark stands
FILE_CHARS_MAX = 400  # from its beginning, within which a file is named

_FILE = r"[^\s/\\<>:\"|?*][^/\\<>:\"|?*\n]{0,200}\.[A-Za-z0-9]{2,5}"
_ANGLED_FILE = re.compile(rf"<[^<>:\n]{{2,40}}: ?(?P<file>{_FILE})>")
_BRACKETED_FILE = re.compile(rf"[{MARKS}]*(?P<file>{_FILE}) \((?P<words>[^()\n]{{4,50}})\)(?=\n|\Z)")
_ANDROID_NAME = re.compile(r"[A-Z]{2,4}-\d{8}-WA\d{4,}\.\w+")
_EDIT_MARK = re.compile(r"\s*(?P<mark>\u200e?)<(?P<words>[^<>:\n]{4,60}?)\.?>\s*\Z")
_EDGES = (
    "\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\ufeff"
    " \t\n\r\x0b\x0c\x1c\x1d\x1e\x1f\x85\xa0\u2028\u2029\u202f\u3000"
)
_CHAT = re.compile(
    r".*\bWhats ?App\b.*?(?:\s-\s|:\s|\b(?:with|mit|con|com|avec|met|med|с|z|ile|cu|dengan)\s)\s*(?P<name>.+)",
    re.IGNORECASE,
)
_COPY = re.compile(r"\s*\(\d{1,2}\)\Z")


def is_afternoon(word: str) -> bool | None:
    """Whether a word names the second half of the day; None if it names neither.

    >>> is_afternoon("p. m."), is_afternoon("AM"), is_afternoon("ص"), is_afternoon("klo")
    (True, False, False, None)
    """
    return _HALVES.get(_letters(word))


def is_deleted(text: str) -> bool:
    """Whether this stands in the place of a message that was deleted."""
    words = plain(text).rstrip(".").casefold()
    return words in _DELETED_WORDS or words.startswith(_DELETED_BY)


def without_edit_mark(text: str) -> str | None:
    """The text of a message that was edited, without the app's mark; None if it was not edited.

    >>> without_edit_mark("on Friday \u200e<This message was edited>"), without_edit_mark("a <b>")
    ('on Friday', None)
    """
    match = _EDIT_MARK.search(text, max(0, len(text) - MARK_CHARS_MAX))
    if match is None or not (match["mark"] or match["words"].casefold() in _EDITED_WORDS):
        return None
    return text[: match.start()] or None


def is_left_out(text: str, *, by_app: bool) -> bool:
    """Whether this stands in the place of a file that was not exported; `by_app`: the text is marked as the app's."""
    words = plain(text)
    if words.startswith("<") and words.endswith(">"):
        return words[1:-1].casefold() in _LEFT_OUT_WORDS
    parts = words.casefold().split()
    return by_app and 2 <= len(parts) <= 4 and parts[-1] in _ENDINGS


def attached_file(text: str) -> tuple[str, str] | None:
    """The name of a file that came with a message, and what else the message says.

    >>> attached_file("IMG-20240304-WA0001.jpg (Datei angehängt)"), attached_file("see a.pdf (draft)")
    (('IMG-20240304-WA0001.jpg', ''), None)
    """
    match = _ANGLED_FILE.search(text)
    if match is None:
        match = _BRACKETED_FILE.match(text[:FILE_CHARS_MAX])
        if match is None:
            return None
        if match["words"].casefold() not in _ATTACHED_WORDS and not _ANDROID_NAME.fullmatch(match["file"]):
            return None
    return match["file"].strip(), plain(f"{text[: match.start()].rstrip()}\n{text[match.end() :].lstrip()}")


def chat_name(file_name: str) -> str:
    """The name of a chat, which stands nowhere but in the name of the file or archive.

    >>> chat_name("WhatsApp Chat with Ops team (1).txt"), chat_name("WhatsApp-Chat mit Ana.zip"), chat_name("ops.txt")
    ('Ops team', 'Ana', 'ops')
    """
    stem = _COPY.sub("", re.sub(r"\.(?:txt|zip)\Z", "", unicodedata.normalize("NFC", file_name), flags=re.IGNORECASE))
    match = _CHAT.fullmatch(stem)
    return plain(match["name"] if match else stem).strip("_ ") or "chat"


def plain(text: str) -> str:
    """The text without invisible marks and spaces around it."""
    return text.strip(_EDGES)


def _letters(word: str) -> str:
    return "".join(letter for letter in word.casefold() if letter.isalpha())


def _phrases(words: str) -> frozenset[str]:
    return frozenset(phrase for line in words.strip().split("\n") for phrase in line.split("|"))


_HALVES = dict.fromkeys(map(_letters, _MORNING.split()), False) | dict.fromkeys(map(_letters, _AFTERNOON.split()), True)
_DELETED_WORDS, _EDITED_WORDS = _phrases(_DELETED), _phrases(_EDITED)
_LEFT_OUT_WORDS, _ATTACHED_WORDS = _phrases(_LEFT_OUT), _phrases(_ATTACHED)
_ENDINGS = frozenset(_LEFT_OUT_ENDINGS.split())
