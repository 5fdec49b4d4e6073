"""The words by which mail programs introduce what they quote and forward, in the languages that were met.

Patterns only; where they must stand is decided in `mail_quotes`. They follow the samples of talon, email-reply-parser
and quotequail, and the programs Outlook, Apple Mail, Gmail, Thunderbird and Yandex.
"""

import re
from typing import Final

__all__ = ["BEGINS", "FORWARDED", "LABELS", "ORIGINAL", "SENT_FROM", "WROTE", "WROTE_LAST"]

# How the line above a quotation begins and ends: "On Monday ... wrote:"
BEGINS: Final = re.compile(
    r"(?:On|At|Am|Le|El|Em|Il(?: giorno)?|Op|Den|Dnia|W dniu|Dne|På|Vào|Pada|Tarih)\b|\d{1,2}[./-]\d|\d{4}[年/.-]|"
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun|Пн|Вт|Ср|Чт|Пт|Сб|Вс)\w*[,. ]",
    re.IGNORECASE,
)
_VERBS: Final = (
    r"(?:wrote|writes|schrieb|a écrit|escribió|ha scritto|escreveu|schreef|geschreven|skrev|napsal|napsala|"
    r"napsal\(a\)|napisał|napisała|napisał\(a\)|написал|написала|написал\(а\)|пишет|yazdı|写道|寫道|のメール|님이 작성)"
)
WROTE: Final = re.compile(rf"{_VERBS}[^\n]{{0,80}}[:：]$", re.IGNORECASE)  # in some languages the name comes after
WROTE_LAST: Final = re.compile(rf".{{1,60}}\s{_VERBS}\s?[:：]", re.IGNORECASE)

FORWARDED: Final = re.compile(
    r"-{2,}\s?(?:Forwarded|Weitergeleitete|Mensaje reenviado|Mensagem encaminhada|Message transf|Messaggio inoltrato|"
    r"Doorgestuurd|Vidarebefordra|Videresendt|Пересылаемое|Пересланное|Přeposlan|Wiadomość przekazana|转发|轉寄)"
    r"|(?:Begin forwarded message|Anfang der weitergeleiteten|Début du message|Inicio del mensaje reenviado|"
    r"Inizio messaggio inoltrato|Begin doorgestuurd bericht|Start of forwarded message)",
    re.IGNORECASE,
)
ORIGINAL: Final = re.compile(
    r"-{2,}\s?(?:Original (?:Message|Appointment)|Ursprüngliche Nachricht|Originalnachricht|Message d'origine|"
    r"Mensaje original|Mensagem original|Messaggio originale|Oorspronkelijk bericht|Ursprungligt meddelande|"
    r"Oprindelig meddelelse|Opprinnelig melding|Исходное сообщение|Původní zpráva|Oryginalna wiadomość|原始邮件|"
    r"原始郵件|원본 메시지)\s?-{2,}",
    re.IGNORECASE,
)
SENT_FROM: Final = re.compile(
    r"(?:Sent from|Sent with|Sent via|Von meinem|Gesendet (?:von|mit)|Envoyé (?:de|depuis)|Enviado (?:desde|do)|"
    r"Inviato da|Verzonden (?:vanaf|met)|Skickat från|Sendt fra|Отправлено (?:с|из)|Wysłane z|Odesláno z|"
    r"Get Outlook for|Получить Outlook).{0,80}",
    re.IGNORECASE,
)

_LABELS: Final = {
    "from": "from von de da van från fra od от 发件人 寄件者 差出人 보낸사람 lähettäjä kimden",
    "sent": "sent date gesendet datum envoyé fecha enviado enviadoel data inviato verzonden skickat sendt dato "
    "odesláno wysłano дата отправлено 发送时间 日期 送信日時 보낸날짜 lähetetty tarih",
    "to": "to an à para a aan till til komu do кому 收件人 宛先 받는사람 vastaanottaja kime",
    "subject": "subject betreff objet asunto assunto oggetto onderwerp ämne emne předmět temat тема 主题 主旨 件名 "
    "제목 aihe konu",
    "other": "cc kopie kopia copie kopi dw копия 抄送 bcc reply-to organization importance attachments",
}
LABELS: Final = {label: field for field, labels in _LABELS.items() for label in labels.split()}
