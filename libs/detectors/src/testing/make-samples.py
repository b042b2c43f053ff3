"""Makes samples.json: synthetic values of the generators Faker and python-stdnum, and near misses. Run by hand:

    python3 -m venv /tmp/samples && /tmp/samples/bin/pip install faker python-stdnum
    /tmp/samples/bin/python libs/detectors/src/testing/make-samples.py > libs/detectors/src/testing/samples.json
"""

import json
import random
import string
import uuid

from faker import Faker
from stdnum import ean, imei, isbn, luhn, verhoeff
from stdnum.br import cpf
from stdnum.de import idnr
from stdnum.es import dni, nie
from stdnum.fr import nir
from stdnum.it import codicefiscale
from stdnum.nl import bsn
from stdnum.pl import pesel

PER_TYPE = 20
LOCALES = [
    'en_US', 'en_GB', 'en_IN', 'en_AU', 'de_DE', 'de_AT', 'de_CH', 'fr_FR', 'es_ES', 'it_IT', 'nl_NL', 'pl_PL', 'pt_BR', 'ru_RU',
    'tr_TR', 'ar_SA', 'ar_EG', 'th_TH', 'zh_CN', 'zh_TW',
]
LANGUAGE = {'en': 'en', 'de': 'de', 'fr': 'fr', 'es': 'es', 'ru': 'ru', 'tr': 'tr', 'ar': 'ar', 'th': 'th', 'zh': 'zh'}
Faker.seed(20)
random.seed(20)
fakers = {locale: Faker(locale) for locale in LOCALES}
us = fakers['en_US']


def digits(count):
    return ''.join(random.choices(string.digits, k=count))


def valid(make, judge):
    while True:
        value = make()
        if judge(value):
            return value


def with_check(make, count):
    """Tries bodies until the module finds one valid."""
    return valid(lambda: digits(count), make)


def nir_value():
    body = f'{random.choice("12")}{random.randint(40, 99)}{random.randint(1, 12):02}{random.randint(1, 95):02}{digits(6)}'
    return body + nir.calc_check_digits(body)


def codice_value():
    body = ''.join(random.choices('BCDFGLMNPRST', k=6)) + f'{random.randint(30, 99)}{random.choice("ABCDEHLMPRST")}{random.randint(1, 28):02}{random.choice("ABCDEFGHIL")}{random.randint(100, 999)}'
    return body + codicefiscale.calc_check_digit(body)


def aadhaar_value():
    body = random.choice('23456789') + digits(10)
    number = body + verhoeff.calc_check_digit(body)
    return random.choice([number, f'{number[:4]} {number[4:8]} {number[8:]}'])


def pesel_value():
    body = f'{random.randint(40, 99)}{random.randint(1, 12):02}{random.randint(1, 28):02}{digits(4)}'
    return body + pesel.calc_check_digit(body)


def nino_value():
    prefix = random.choice(['AB', 'CE', 'JG', 'PX', 'SA', 'WM'])
    number = digits(6)
    return random.choice([f'{prefix}{number}{random.choice("ABCD")}', f'{prefix} {number[:2]} {number[2:4]} {number[4:]} {random.choice("ABCD")}'])


def ssn_value():
    return f'{random.choice([random.randint(1, 665), random.randint(667, 899)]):03}-{random.randint(1, 99):02}-{random.randint(1, 9999):04}'


def secret_value():
    letters = string.ascii_letters + string.digits
    pick = lambda count, of=letters: ''.join(random.choices(of, k=count))
    return random.choice([
        'AKIA' + pick(16, string.ascii_uppercase + '234567'), 'gh' + 'p_' + pick(36), 'glp' + 'at-' + pick(20),
        'sk_' + 'live_' + pick(24), 'AIz' + 'a' + pick(35), 'np' + 'm_' + pick(36), 'h' + 'f_' + pick(34),
        'xox' + 'b-' + digits(12) + '-' + digits(12) + '-' + pick(24), 'S' + 'G.' + pick(22) + '.' + pick(43),
    ])


def card_value():
    number = us.credit_card_number()
    return f'{number[:4]} {number[4:8]} {number[8:12]} {number[12:]}' if len(number) == 16 and random.random() < 0.5 else number


MAKERS = {
    'email': lambda: fakers[random.choice(LOCALES)].email(),
    'iban': lambda: fakers[random.choice(['de_DE', 'fr_FR', 'en_GB', 'it_IT', 'nl_NL', 'pl_PL', 'de_AT', 'de_CH', 'tr_TR'])].iban(),
    'credit_card': card_value,
    'us_ssn': ssn_value,
    'uk_nino': nino_value,
    'de_steuer_id': lambda: with_check(idnr.is_valid, 11),
    'fr_nir': nir_value,
    'es_dni': lambda: (lambda body: body + dni.calc_check_digit(body))(digits(8)),
    'es_nie': lambda: (lambda body: body + nie.calc_check_digit(body))(random.choice('XYZ') + digits(7)),
    'it_codice_fiscale': codice_value,
    'nl_bsn': lambda: with_check(bsn.is_valid, 9),
    'pl_pesel': pesel_value,
    'br_cpf': lambda: random.choice([cpf.format, str])(with_check(cpf.is_valid, 11)),
    'in_aadhaar': aadhaar_value,
    'ip_address': lambda: random.choice([us.ipv4, us.ipv6])(),
    'mac_address': lambda: us.mac_address(),
    'url_credentials': lambda: f'{random.choice(["https", "postgres", "ftp", "redis"])}://{us.user_name()}:{us.password(10, special_chars=False)}@{us.domain_name()}/x',
    'secret': secret_value,
}


def one_digit_changed(value):
    places = [index for index, character in enumerate(value) if character.isdigit()]
    index = random.choice(places[-4:])
    return value[:index] + random.choice([digit for digit in string.digits if digit != value[index]]) + value[index + 1:]


CHECKED = ['iban', 'credit_card', 'de_steuer_id', 'fr_nir', 'es_dni', 'es_nie', 'it_codice_fiscale', 'nl_bsn', 'pl_pesel', 'br_cpf', 'in_aadhaar']


def near_misses():
    body = lambda count: random.choice('123456789') + digits(count - 1)
    kinds = {
        'isbn': lambda: random.choice([fakers['en_US'].isbn13(), fakers['en_US'].isbn10()]),
        'order_number': lambda: random.choice([f'ORD-{digits(8)}', f'2024-{digits(6)}', f'#{digits(7)}', f'A{digits(9)}']),
        'git_hash': lambda: ''.join(random.choices('0123456789abcdef', k=random.choice([7, 12, 40]))),
        'timestamp': lambda: random.choice([str(random.randint(1500000000, 1799999999)), f'2024-0{random.randint(1, 9)}-1{random.randint(0, 9)}T12:30:45.123Z', f'2024{random.randint(1, 12):02}{random.randint(1, 28):02}123045', str(random.randint(1500000000000, 1799999999999))]),
        'imei': lambda: (lambda number: number + luhn.calc_check_digit(number))('35' + digits(12)),
        'vat_id': lambda: random.choice([f'DE{digits(9)}', f'ATU{digits(8)}', f'NL{digits(9)}B01', f'FR{digits(11)}']),
        'version': lambda: random.choice([f'v{random.randint(1, 20)}.{random.randint(0, 40)}.{random.randint(0, 9)}', f'version 4.{random.randint(0, 30)}.{random.randint(0, 40)}.{random.randint(0, 99)}']),
        'uuid': lambda: str(uuid.UUID(int=random.getrandbits(128))),
        'ean': lambda: (lambda number: number + ean.calc_check_digit(number))(body(12)),
        'handle': lambda: random.choice(['@anna_b', 'logo@2x.png', 'lodash@4.17.21', 'root@localhost']),
        'amount': lambda: random.choice(['1.234.567.890', '12,345,678.90', '1 234 567', '3.14159265358979']),
        'sample_key': lambda: random.choice(['AKIAIOSFODNN7EXAMPLE', 'sk_' + 'test_4eC39HqLyj' + 'WDarjtT1zdp7dc', 'xoxb-your-token-here', 'https://user:password@example.com']),
        'date_range': lambda: random.choice(['1990-2001', '12.03.2024', '2024-01-15', '3:45:12', '10/11/2023']),
    }
    misses = [{'kind': kind, 'value': make()} for kind, make in kinds.items() for _ in range(10)]
    changed = [{'kind': f'changed_{kind}', 'value': one_digit_changed(MAKERS[kind]())} for kind in CHECKED for _ in range(6)]
    return misses + changed


values = [{'type': kind, 'value': make()} for kind, make in MAKERS.items() for _ in range(PER_TYPE)]
phones = [{'type': 'phone', 'locale': locale, 'value': fakers[locale].phone_number()} for locale in LOCALES for _ in range(6)]
print(json.dumps({'values': values, 'phones': phones, 'near_misses': near_misses()}, ensure_ascii=False, indent=1))
