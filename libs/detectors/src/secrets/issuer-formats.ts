/** A secret in the form that its issuer publishes. */
export interface IssuerFormat {
  readonly rule: string;
  /** How it begins; the only thing that is looked for in the whole text. */
  readonly prefix: string;
  /** The whole of it, from the prefix on. Every quantifier bounded. */
  readonly form: RegExp;
  readonly score?: number;
}

const BASE64_URL = '[A-Za-z0-9_-]';

/** Prefixes are literal; forms are anchored where the prefix is. */
export const ISSUER_FORMATS: readonly IssuerFormat[] = [
  ...['AKIA', 'ASIA', 'ABIA', 'ACCA'].map((prefix) => ({
    rule: 'aws_access_key_id',
    prefix,
    form: new RegExp(`${prefix}[A-Z2-7]{16}(?![A-Za-z0-9])`, 'y'),
  })),
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((prefix) => ({
    rule: 'github_token',
    prefix,
    form: new RegExp(`${prefix}[A-Za-z0-9]{36,255}`, 'y'),
  })),
  { rule: 'github_token', prefix: 'github_pat_', form: /github_pat_[A-Za-z0-9_]{60,255}/y },
  { rule: 'gitlab_token', prefix: 'glpat-', form: /glpat-[A-Za-z0-9_.-]{20,300}/y },
  { rule: 'gitlab_token', prefix: 'gldt-', form: /gldt-[A-Za-z0-9_-]{20,64}/y },
  { rule: 'gitlab_token', prefix: 'glrt-', form: /glrt-[A-Za-z0-9_.-]{20,64}/y },
  ...['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-', 'xapp-'].map((prefix) => ({
    rule: 'slack_token',
    prefix,
    form: new RegExp(`${prefix}[A-Za-z0-9]{1,16}-[A-Za-z0-9-]{16,250}`, 'y'),
  })),
  {
    rule: 'slack_webhook',
    prefix: 'hooks.slack.com/services/',
    form: /hooks\.slack\.com\/services\/T[A-Z0-9]{6,14}\/B[A-Z0-9]{6,14}\/[A-Za-z0-9]{20,32}/y,
  },
  {
    rule: 'discord_webhook',
    prefix: 'discord.com/api/webhooks/',
    form: /discord\.com\/api\/webhooks\/\d{17,20}\/[A-Za-z0-9_-]{60,80}/y,
  },
  ...['sk_live_', 'rk_live_', 'sk_test_', 'rk_test_'].map((prefix) => ({
    rule: 'stripe_key',
    prefix,
    form: new RegExp(`${prefix}[A-Za-z0-9]{20,247}`, 'y'),
    score: prefix.includes('test') ? 0.6 : 0.98,
  })),
  { rule: 'stripe_webhook_secret', prefix: 'whsec_', form: /whsec_[A-Za-z0-9+/=]{24,128}/y },
  { rule: 'google_api_key', prefix: 'AIza', form: /AIza[A-Za-z0-9_-]{35}(?![A-Za-z0-9_-])/y },
  { rule: 'google_oauth_secret', prefix: 'GOCSPX-', form: /GOCSPX-[A-Za-z0-9_-]{28}/y },
  { rule: 'google_oauth_token', prefix: 'ya29.', form: /ya29\.[A-Za-z0-9_-]{40,1024}/y },
  { rule: 'anthropic_key', prefix: 'sk-ant-', form: /sk-ant-[A-Za-z0-9_-]{40,200}/y },
  { rule: 'openai_key', prefix: 'sk-proj-', form: /sk-proj-[A-Za-z0-9_-]{40,250}/y },
  { rule: 'openai_key', prefix: 'sk-svcacct-', form: /sk-svcacct-[A-Za-z0-9_-]{40,250}/y },
  { rule: 'openai_key', prefix: 'sk-', form: /sk-[A-Za-z0-9]{32,64}(?![A-Za-z0-9])/y },
  { rule: 'openrouter_key', prefix: 'sk-or-v1-', form: /sk-or-v1-[0-9a-f]{64}/y },
  { rule: 'groq_key', prefix: 'gsk_', form: /gsk_[A-Za-z0-9]{40,64}/y },
  { rule: 'hugging_face_token', prefix: 'hf_', form: /hf_[A-Za-z0-9]{34}(?![A-Za-z0-9])/y },
  { rule: 'replicate_token', prefix: 'r8_', form: /r8_[A-Za-z0-9]{37}(?![A-Za-z0-9])/y },
  { rule: 'sendgrid_key', prefix: 'SG.', form: /SG\.[A-Za-z0-9_-]{20,24}\.[A-Za-z0-9_-]{39,50}/y },
  { rule: 'mailgun_key', prefix: 'key-', form: /key-[0-9a-f]{32}(?![0-9a-f])/y },
  { rule: 'mailchimp_key', prefix: 'mandrill-', form: /mandrill-[A-Za-z0-9_-]{22}/y },
  { rule: 'npm_token', prefix: 'npm_', form: /npm_[A-Za-z0-9]{36}(?![A-Za-z0-9])/y },
  { rule: 'pypi_token', prefix: 'pypi-AgE', form: /pypi-AgE[A-Za-z0-9_-]{50,1000}/y },
  { rule: 'docker_token', prefix: 'dckr_pat_', form: /dckr_pat_[A-Za-z0-9_-]{24,40}/y },
  ...['dop_v1_', 'doo_v1_', 'dor_v1_'].map((prefix) => ({
    rule: 'digitalocean_token',
    prefix,
    form: new RegExp(`${prefix}[0-9a-f]{64}`, 'y'),
  })),
  ...['shpat_', 'shpca_', 'shppa_', 'shpss_'].map((prefix) => ({
    rule: 'shopify_token',
    prefix,
    form: new RegExp(`${prefix}[0-9a-fA-F]{32}`, 'y'),
  })),
  { rule: 'square_token', prefix: 'sq0atp-', form: /sq0atp-[A-Za-z0-9_-]{22}/y },
  { rule: 'square_token', prefix: 'sq0csp-', form: /sq0csp-[A-Za-z0-9_-]{43}/y },
  { rule: 'twilio_key', prefix: 'SK', form: /SK[0-9a-f]{32}(?![0-9A-Za-z])/y },
  { rule: 'databricks_token', prefix: 'dapi', form: /dapi[0-9a-f]{32}(?:-\d)?(?![0-9a-f])/y },
  { rule: 'linear_key', prefix: 'lin_api_', form: /lin_api_[A-Za-z0-9]{40}/y },
  { rule: 'postman_key', prefix: 'PMAK-', form: /PMAK-[0-9a-f]{24}-[0-9a-f]{34}/y },
  { rule: 'notion_token', prefix: 'ntn_', form: /ntn_[A-Za-z0-9]{40,60}/y },
  { rule: 'vault_token', prefix: 'hvs.', form: /hvs\.[A-Za-z0-9_-]{24,200}/y },
  { rule: 'terraform_token', prefix: 'atlasv1.', form: /atlasv1\.[A-Za-z0-9_-]{60,80}/y },
  { rule: 'age_secret_key', prefix: 'AGE-SECRET-KEY-1', form: /AGE-SECRET-KEY-1[0-9A-Z]{58}/y },
  { rule: 'grafana_token', prefix: 'glsa_', form: /glsa_[A-Za-z0-9]{32}_[0-9a-f]{8}/y },
  { rule: 'sentry_token', prefix: 'sntrys_', form: /sntrys_[A-Za-z0-9+/=_-]{60,400}/y },
  { rule: 'new_relic_key', prefix: 'NRAK-', form: /NRAK-[A-Z0-9]{27}/y },
  { rule: 'doppler_token', prefix: 'dp.pt.', form: /dp\.pt\.[A-Za-z0-9]{40,44}/y },
  { rule: 'telegram_bot_token', prefix: ':AA', form: /:AA[A-Za-z0-9_-]{33}(?![A-Za-z0-9_-])/y, score: 0.8 },
  { rule: 'azure_storage_key', prefix: 'AccountKey=', form: /AccountKey=[A-Za-z0-9+/]{86}==/y },
  {
    rule: 'json_web_token',
    prefix: 'eyJ',
    form: new RegExp(`eyJ${BASE64_URL}{8,2048}\\.eyJ${BASE64_URL}{8,4096}\\.${BASE64_URL}{16,1024}`, 'y'),
    score: 0.9,
  },
  {
    rule: 'private_key',
    prefix: '-----BEGIN ',
    form: /-----BEGIN (?:[A-Z0-9]{2,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----[A-Za-z0-9+/=\s:,.()-]{0,8192}/y,
    score: 0.99,
  },
];
