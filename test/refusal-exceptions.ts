// Refusals that test/fences-refusals.test.ts finds and that are right, by the reason.

/** Codes that are no rule about a thing: it is not there, not theirs, not as it was; or the installation cannot just now. */
export const no_rule = [
  'not_found',
  'forbidden',
  'changed_meanwhile',
  'invalid_input',
  'method_not_allowed',
  'scim_value',
  'scim_path',
  'scim_filter',
  'not_signed_in',
  'too_many_requests',
  'busy',
  'unavailable',
  'internal',
  'storage_away',
  'storage_full',
]

/** Codes of several things, each with its reason. */
export const of_more = [
  'yourself', // nobody’s own person, nobody’s own erasure
  'not_requested', // a person, a dependent
  'person_erased', // an act on a person; what an act that was under way would write of them
  'too_many_entries', // the statement, the record of changes
  'pool_exhausted', // an adjustment’s money, what a rebalance moved
  'admin_too_new', // one rule, `counts_as_one`: of a claim’s decisions, and of a run’s release
  // A form says them while it is filled in (src/claims/rules/rules.ts), of facts that are read by the database; a receipt
  // may go, or be used, until the act, and with an answer or appeal no form has looked at it.
  'receipt_gone',
  'receipt_used',
  'receipt_broken', // a picture, a PDF, and what ends its reader
  'receipt_too_small', // a picture, a PDF
]

/** Codes that only the act knows, by the reason why no button can. */
export const by_the_act = {
  'an amount, a day or a word that was typed': [
    'amount_must_be_positive',
    'approved_more_than_before',
    'approved_more_than_claimed',
    'approved_nothing',
    'reason_needed',
    'decide_by_line',
    'child_too_old',
    'too_young_for_that',
    'cover_after_leaving',
    'cover_before_joining',
    'already_approved',
    'contribution_already_recorded',
    'day_long_past',
    'day_to_come',
    'day_outside_plan_year',
    'cut_off_to_come',
    'pay_day_past',
    'nothing_to_pay',
    'month_to_come',
    'rebalance_keeps_the_sum',
    'nothing_to_move',
    'joins_too_far_ahead',
    'key_ends_past',
    'key_ends_too_late',
    'right_ends_too_soon',
    'domain_already_yours',
    'domain_code_wrong',
    'client_secret_needed',
    'source_secret_needed',
    'already_here',
    'email_taken',
    'outside_own_domain',
    'address_not_vouched',
    'page_closed',
    'has_a_fund',
    'account_used_twice',
    'company_needed',
    'contribution_unusual',
    'no_such_day',
    'too_many_slots',
    'blacked_off_page',
    'period_ends_before_it_begins',
    'period_too_long',
    'period_in_future',
    'saml_metadata_invalid',
    'ssh_key_needs_sftp',
  ],
  'a file that was chosen': [
    'csv_columns_missing',
    'csv_empty',
    'csv_not_utf8',
    'csv_too_many_rows',
    'workbook_old',
    'workbook_too_large',
    'receipt_broken',
    'receipt_empty',
    'receipt_heic',
    'receipt_kind',
    'receipt_locked',
    'receipt_too_many_pages',
    'receipt_too_many_pixels',
    'receipt_too_small',
  ],
  'somebody or something that was chosen': [
    'yourself',
    'manager_in_a_circle',
    'nothing_to_close',
    'right_already_given',
    'no_such_break_glass',
    'group_by_department',
    'already_booked_here',
    'too_many_receipts',
    'receipt_used',
    'receipt_gone',
    'nobody_chosen',
    'too_many_chosen',
  ],
  'a row or message of another system': [
    'scim_admin',
    'no_such_member',
    'outside_proven_domains',
    'user_name_taken',
    'personnel_number_taken',
    'key_needed',
    'key_right_missing',
    'scim_no_target',
    'scim_not_offered',
    'scim_version',
  ],
  'a race: the screen offered it before another did what is in its way, or did it': [
    'pools_changed',
    'overpayment_changed',
    'host_key_changed',
    'block_already_removed',
    'claim_already_paid',
    'company_gone',
    'undo_money_used',
    'receipt_attached',
    'receipt_blacked_meanwhile',
    'no_erasure_requested',
    'export_not_failed',
    'report_not_failed',
  ],
  'a state that the row says: where it holds, its screen has another button': [
    'company_active',
    'company_suspended',
    'report_not_ready',
  ],
  'what every company has from its first day on': ['no_plan_year'],
  'a job alone is refused, and its page says so': ['source_admin_gone'],
  'as many as there may be, or as often, which nearly nobody meets': [
    'added_enough_today',
    'domain_mailed_enough',
    'mailed_just_now',
    'too_many_dependents',
    'too_many_domains',
    'too_many_keys',
    'too_many_messages',
    'too_many_views',
    'too_many_webhooks',
    'receipts_already_waiting',
    'too_many_entries',
    'too_many_sign_ins',
  ],
  'no refusal: whoever presses it is asked for something, and goes on': ['password_needed'],
  'no refusal: a claim goes on to people': ['needs_a_person'],
  'a right that it needs besides, as the screen knows': ['receipts_not_for_you'],
}

/** Rules that no answer carries, by the reason. */
export const of_input = {
  'what was typed, asked by two acts': [
    'private.absence_refusal',
    'private.domain_refusal',
    'private.steps_refusal',
  ],
  'a race: the seconds in which an act is undone are over': ['private.undo_refusal'],
}

/** Acts whose button stands beside another feature’s answer, which carries the rule. */
export const carried_by = {
  'companies.invite_admin': ['rights.list'],
  'companies.remove_admin': ['rights.list', 'policies.gaps'],
  'connections.make_key': ['users.me'],
  'domains.request': ['users.me'],
  'funds.contribute': ['companies.find'],
  'rights.end': ['policies.gaps'],
  'sources.save': ['users.me'],
  'sso.connect_oidc': ['users.me'],
  'sso.connect_saml': ['users.me'],
  'webhooks.make': ['users.me'],
} as const

/** Rules that an act asks and no button can say, by the reason. */
export const never_met = {
  'what was just made refuses nothing yet: a company, a list': [
    'companies.add asks giving_refusal',
    'companies.add asks year_refusal',
    'many.compare asks import_refusal',
  ],
  'the plan says that its year is closed, and has no button then': [
    'group_plans.change asks year_refusal',
  ],
  'of many, whoever it is refused for is left out, and counted': [
    'many.put_in_group asks own_benefit_refusal',
    'many.invite_again asks person_refusal',
  ],
}
