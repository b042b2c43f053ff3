/**
 * Functions that statements may call. A function is listed when it computes its result from its arguments alone: it reads no file, setting,
 * catalogue, sequence or variable, runs no text as a statement, names no other function by a string, does not wait and writes nothing.
 */
const OPERATORS = `+ - * / // % ** ^ & | ~ << >> || @ ~~ !~~ ~~* !~~* ~~~ ^@ @> <@ && !__postfix`;

const LOGIC = `like_escape ilike_escape not_like_escape not_ilike_escape coalesce nullif ifnull if greatest least constant_or_null typeof
  row struct_pack struct_extract struct_keys switch`;

const NUMBERS = `abs acos acosh asin asinh atan atan2 atanh bit_count cbrt ceil ceiling cos cosh cot degrees divide even exp factorial fdiv
  floor fmod gamma gcd greatest_common_divisor isfinite isinf isnan lcm least_common_multiple lgamma ln log log10 log2 mod multiply
  pi pow power radians round round_even roundbankers sign signbit sin sinh sqrt subtract add tan tanh trunc xor to_base`;

const TEXTS = `ascii bar base64 bit_length char_length character_length chr concat concat_ws contains damerau_levenshtein editdist3 ends_with
  format formatreadablesize format_bytes hamming hash instr jaccard jaro_similarity jaro_winkler_similarity lcase left
  left_grapheme len length length_grapheme levenshtein lower lpad ltrim md5 mismatches nfc_normalize octet_length ord
  position prefix printf regexp_escape regexp_extract regexp_extract_all regexp_full_match regexp_matches regexp_replace
  regexp_split_to_array replace reverse right right_grapheme rpad rtrim sha1 sha256 split split_part starts_with str_split
  str_split_regex string_split string_split_regex string_to_array strip_accents strlen strpos substr substring substring_grapheme suffix
  to_hex hex translate trim ucase unicode upper url_decode url_encode`;

const TIMES = `add age century current_date current_localtime current_localtimestamp current_time current_timestamp date_add date_diff
  date_part date_sub date_trunc datediff datepart datesub datetrunc day dayname dayofmonth dayofweek dayofyear days_in_month decade
  epoch epoch_ms epoch_us era get_current_time get_current_timestamp hour isodow isoyear julian last_day make_date make_time
  make_timestamp microsecond millennium millisecond minute month monthname now quarter second strftime strptime time_bucket
  to_centuries to_days to_decades to_hours to_microseconds to_millennia to_milliseconds to_minutes to_months to_quarters to_seconds
  to_timestamp to_weeks to_years today transaction_timestamp try_strptime week weekday weekofyear year yearweek`;

const LISTS = `array_append array_concat array_contains array_distinct array_extract array_filter array_has array_has_all array_has_any
  array_indexof array_length array_position array_prepend array_reverse array_slice array_sort array_to_string
  array_to_string_comma_default array_transform array_unique apply cardinality element_at filter flatten generate_series list_any_value
  list_append list_apply list_avg list_concat list_contains list_count list_distinct list_element list_extract list_filter
  list_first list_has list_has_all list_has_any list_indexof list_last list_max list_median list_min list_pack list_position
  list_prepend list_reduce list_reverse list_reverse_sort list_slice list_sort list_sum list_transform list_unique list_value map
  map_contains map_entries map_extract map_from_entries map_keys map_values range reduce unnest`;

/** Several rows become one value. */
const AGGREGATES = `any_value approx_count_distinct approx_quantile approx_top_k arbitrary arg_max arg_max_null arg_min arg_min_null argmax
  argmin array_agg avg bit_and bit_or bit_xor bool_and bool_or corr count count_if count_star countif covar_pop covar_samp entropy favg
  first fsum geomean geometric_mean group_concat histogram kahan_sum kurtosis kurtosis_pop last list listagg mad max max_by mean median
  min min_by mode product quantile quantile_cont quantile_disc regr_avgx regr_avgy regr_count regr_intercept regr_r2 regr_slope regr_sxx
  regr_sxy regr_syy sem skewness stddev stddev_pop stddev_samp string_agg sum sumkahan sum_no_overflow var_pop var_samp variance
  wavg weighted_avg`;

/** Over the rows around each row. */
const WINDOWS = `cume_dist dense_rank fill first_value lag last_value lead nth_value ntile percent_rank rank rank_dense row_number`;

function names(...lists: string[]): ReadonlySet<string> {
  return new Set(lists.flatMap((list) => list.split(/\s+/)).filter((name) => name !== ''));
}

export const AGGREGATE_FUNCTIONS = names(AGGREGATES);

/** Functions that make several rows of one. */
export const ROW_MAKING_FUNCTIONS: ReadonlySet<string> = new Set(['unnest']);

export const ALLOWED_FUNCTIONS = names(OPERATORS, LOGIC, NUMBERS, TEXTS, TIMES, LISTS, AGGREGATES, WINDOWS);

/** Functions that represent a table in `FROM`. */
export const ALLOWED_TABLE_FUNCTIONS: ReadonlySet<string> = new Set(['generate_series', 'range', 'unnest']);

/** Names that the engine computes where there is no column of that name, about itself or its user. */
export const REFUSED_COLUMN_NAMES: ReadonlySet<string> = new Set([
  'current_catalog',
  'current_role',
  'current_schema',
  'current_user',
  'session_user',
]);
