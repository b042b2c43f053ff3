/** Signs by which a text pretends that the document has ended and someone with more rights speaks. In lower case. */
export const FAKE_ROLES: readonly { readonly rule: string; readonly form: RegExp; readonly score: number }[] = [
  {
    rule: 'chat_template',
    form: /<\|(?:im_start|im_end|im_sep|system|user|assistant|endoftext|end_of_text|begin_of_text|start_header_id|end_header_id|eot_id|endofprompt|end_of_turn|start_of_role|channel|message)\|>|<<\/?sys>>|\[\/?inst\]|<(?:start_of_turn|end_of_turn)>/g,
    score: 0.8,
  },
  {
    rule: 'role_tag',
    form: /<\/?(?:system|system_prompt|system-prompt|system_message|assistant|developer|instructions|admin)(?: [^<>\n]{0,60})?>/g,
    score: 0.6,
  },
  {
    rule: 'role_line',
    form: /(?:^|\n)[ \t#*>[\]-]{0,6}(?:new |end of )?(?:system|developer|admin|root)(?: (?:prompt|message|instructions?|override|note|update|command))?[\]*]{0,3}:[ \t*]{0,4}(?:you (?:are|must|will|should|now)|ignore|disregard|forget|from now|override|do not|always|never|new |the (?:user|assistant)|assistant|reveal|print|respond|answer only|reply|grant|disable|enable)/g,
    score: 0.75,
  },
  {
    rule: 'role_message',
    form: /["']role["']\s{0,3}:\s{0,3}["'](?:system|developer)["']\s{0,3},\s{0,3}["']content["']/g,
    score: 0.6,
  },
  {
    rule: 'delimiter',
    form: /(?:[-=#*_~]{3}|\[|<|"{3}|`{3}) ?(?:end|begin|start|stop)(?: of)?(?: (?:the|all|user|new|trusted|untrusted|retrieved|real|actual|admin))? (?:document|documents|context|prompt|system prompt|system message|instructions|user input|input|data|sources?|conversation|system|text)s? ?(?:[-=#*_~]{3,40}|\]|>{1,3}|"{3}|`{3})/g,
    score: 0.65,
  },
  {
    rule: 'delimiter',
    form: /(?:^|\n)[ \t#*-]{0,6}(?:new|updated|real|actual|additional|important|urgent|secret) (?:system )?(?:instructions?|directives?|task|orders?) ?(?:for (?:the |you|ai)[^:\n]{0,20})?:/g,
    score: 0.55,
  },
];
