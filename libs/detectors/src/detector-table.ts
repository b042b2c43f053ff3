import { email } from './email.js';
import type { Detector, EntityType } from './finding.js';
import { hiddenText } from './hidden-text.js';
import { brCpf } from './identifiers/br-cpf.js';
import { creditCard } from './identifiers/credit-card.js';
import { deSteuerId } from './identifiers/de-steuer-id.js';
import { esDni, esNie } from './identifiers/es-dni.js';
import { frNir } from './identifiers/fr-nir.js';
import { iban } from './identifiers/iban.js';
import { inAadhaar } from './identifiers/in-aadhaar.js';
import { itCodiceFiscale } from './identifiers/it-codice-fiscale.js';
import { nlBsn } from './identifiers/nl-bsn.js';
import { plPesel } from './identifiers/pl-pesel.js';
import { ukNino } from './identifiers/uk-nino.js';
import { usSsn } from './identifiers/us-ssn.js';
import { promptInjection } from './instructions/prompt-injection.js';
import { ipAddress } from './network/ip-address.js';
import { macAddress } from './network/mac-address.js';
import { urlCredentials } from './network/url-credentials.js';
import { phone } from './phone.js';
import { secret } from './secrets/secret.js';

/** The detector of every type. */
export const DETECTORS: Readonly<Record<EntityType, Detector>> = {
  email,
  phone,
  iban,
  credit_card: creditCard,
  us_ssn: usSsn,
  uk_nino: ukNino,
  de_steuer_id: deSteuerId,
  fr_nir: frNir,
  es_dni: esDni,
  es_nie: esNie,
  it_codice_fiscale: itCodiceFiscale,
  nl_bsn: nlBsn,
  pl_pesel: plPesel,
  br_cpf: brCpf,
  in_aadhaar: inAadhaar,
  ip_address: ipAddress,
  mac_address: macAddress,
  url_credentials: urlCredentials,
  secret,
  prompt_injection: promptInjection,
  hidden_text: hiddenText,
};
