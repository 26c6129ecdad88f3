// The problems: every code, its HTTP status and its sentence; those of four areas stand beside them. A refusal
// that is not here does not compile.
import { claim_problems } from '#claims/problems.ts'
import { connection_problems } from '#connections/problems.ts'
import { money_problems } from '#funds/problems.ts'
import { receipt_problems } from '#receipts/problems.ts'

export const problems = {
  // the question itself
  malformed_json: [400, 'The request body is not a JSON object'],
  invalid_input: [422, 'Some fields need attention'],
  too_large: [413, 'This is larger than we accept'],
  unsupported_media_type: [415, 'This content type is not accepted here'],
  method_not_allowed: [405, 'This address does not answer that method'],
  not_found: [404, 'Not found'],
  wrong_host: [421, 'This server answers only at the address that its setting SITE_URL names'],
  idempotency_key_reused: [422, 'This request key was already used for something else'],

  // who is asking
  not_signed_in: [401, 'Please sign in'],
  key_needed: [401, 'Send an API key: Authorization: Bearer hfk_…'],
  two_step_needed: [403, 'Please confirm your second step first'],
  new_password_needed: [403, 'Please choose your own password first'],
  account_pending: [403, 'Your account is not active yet'],
  forbidden: [403, 'Your role does not allow this'],
  key_right_missing: [403, 'This API key does not have the right to do that'],

  // people and companies
  email_taken: [409, 'This email already has an account that can’t be added here'],
  already_here: [409, 'This person is already here'],
  changed_meanwhile: [409, 'Somebody else has changed this in the meantime'],
  yourself: [422, 'You can’t do this to your own account'],
  own_benefit: [422, 'You can’t do this for yourself. Somebody else with the same right has to'],
  department_kept_by_hr: [422, 'Your company has rules by department, so HR sets yours'],
  last_super_admin: [422, 'The last active super admin can’t be removed or demoted'],
  has_rights: [422, 'They have rights for the company. An owner has to end those first'],
  own_account: [
    422,
    'They made this account themselves, at an address that is not your company’s. Set a last day instead',
  ],
  last_owner: [
    422,
    'A company needs one owner without an end date. Make somebody else an owner first',
  ],
  policy_needs_them: [409, 'The policy’s steps need this reviewer. Look at what changes first'],
  right_already_given: [422, 'They already have this right, or it is waiting for a second owner'],
  right_is_over: [422, 'This right has ended'],
  right_ends_too_soon: [422, 'The last day can’t be before the first day or today'],
  owner_removed_lately: [
    422,
    'The owner who could confirm this was removed less than a day ago. Try again tomorrow',
  ],
  right_given_by_you: [422, 'You gave this right, so another owner has to confirm it'],
  right_already_confirmed: [422, 'This right has already been confirmed'],
  not_active: [422, 'This account is not active'],
  not_suspended: [422, 'This account is not suspended'],
  suspended_by_provider: [422, 'The provider suspended this account. Only they can re-activate it'],
  not_requested: [422, 'This request has already been decided'],
  email_not_confirmed: [422, 'Their email address is not confirmed yet'],
  already_accepted: [422, 'This person has already accepted the invitation'],
  mailed_just_now: [429, 'An email was sent just now. Please wait a minute'],
  address_in_use: [
    422,
    'This person has already signed in. Only they can change their address, in Settings',
  ],
  address_not_vouched: [
    422,
    'Use an address at your company’s own domain: this account is ready to use, and no other address has been confirmed',
  ],
  account_in_use: [422, 'This account is in use. Suspend it or set a last day instead'],
  has_a_fund: [422, 'This person has a fund at their company, so they can’t move to another'],
  employment_ends_before_it_begins: [422, 'The last day can’t be before the day of joining'],
  personnel_number_taken: [409, 'Another person in your company has this number'],
  group_exists: [409, 'Your company already has a group with this name'],
  group_in_use: [409, 'The policy or a plan names this group. An owner changes that first'],
  page_closed: [403, 'You can’t open this page, so you can’t save a view of it'],
  view_exists: [409, 'You already have a view with this name'],
  too_many_views: [422, 'You already have 20 views of this page. Remove one first'],
  nobody_chosen: [422, 'These filters no longer match anybody'],
  too_many_chosen: [422, 'That is more than 20,000 people. Filter them, or send a file'],
  group_by_department: [422, 'This group goes by department, so people can’t be added one by one'],
  joins_too_far_ahead: [422, 'The day of joining can be at most a year ahead'],
  company_needed: [422, 'Choose the company this person belongs to'],
  company_active: [422, 'This company is already active'],
  outside_own_domain: [
    422,
    'Until your company is activated, only people with an address at its own domain can be added',
  ],
  added_enough_today: [
    429,
    'Your company has emailed as many people as it may in a day. Please continue tomorrow',
  ],
  company_suspended: [422, 'This company is already suspended'],
  currency_settled: [422, 'Money is recorded in this currency, so it can’t change any more'],
  domain_taken: [409, 'This domain belongs to another company'],
  domain_not_proven: [422, 'An owner must verify the domain under Connections first'],
  absence_ends_before_it_begins: [422, 'The last day can’t be before the first'],
  absence_too_long: [422, 'An absence can last a year at most'],
  absence_is_over: [422, 'These days are already over'],
  already_away: [422, 'An absence on some of these days is entered already'],
  no_such_deputy: [422, 'Choose another active admin of the company'],
  deputy_counts_as_you: [
    422,
    'The two of you count as one person for a day, by a right given lately. Choose another deputy',
  ],
  deputy_is_away: [422, 'They are away themselves on some of these days'],
  unknown_place: [422, 'Choose a country and one of its regions'],
  free_mail_domain: [422, 'Anybody can have an address at this domain, so it can’t be a company’s'],

  ...connection_problems,
  ...receipt_problems,
  ...money_problems,
  ...claim_problems,

  // files of people
  csv_not_utf8: [422, 'Failed to process CSV file: save it as “CSV UTF-8”'],
  csv_columns_missing: [
    422,
    'Failed to process CSV file: the first line must name the columns name and email',
  ],
  csv_empty: [422, 'Failed to process CSV file: there are no rows below the first line'],
  columns_twice: [422, 'Two columns are matched to the same field'],
  csv_too_many_rows: [422, 'Failed to process CSV file: more than 250,000 rows'],
  workbook_broken: [422, 'This workbook can’t be read. Save it as “CSV UTF-8”'],
  workbook_too_slow: [422, 'This workbook takes too long to read. Save it as “CSV UTF-8”'],
  workbook_too_large: [422, 'This workbook is too large. Save it as “CSV UTF-8”'],
  workbook_old: [422, 'Save it as .xlsx without a password'],
  import_not_ready: [422, 'That step of this file is already done'],
  file_not_read_whole: [
    422,
    'Some rows can’t be read, so nobody leaves. Correct them and send the file again',
  ],
  leaves_need_second_admin: [
    422,
    'So many leavers need a second admin who has joined. If nobody is invited yet, invite one in Settings',
  ],
  import_started_by_you: [
    403,
    'You sent or started this file, or set up the source that it comes from. Another admin must approve it',
  ],
  import_by_your_key: [
    403,
    'An API key that you made sent or started this file. Another admin must approve it',
  ],
  import_in_use: [422, 'Somebody in this file has already joined, so it can’t be undone'],

  // dependents
  born_in_the_future: [422, 'The date of birth can’t be in the future'],
  born_too_long_ago: [422, 'The date of birth must be less than 130 years ago'],
  one_active_spouse: [409, 'Only one spouse can be covered at a time. First end the other’s cover'],
  cover_before_birth: [422, 'Cover can’t begin before the date of birth'],
  cover_before_joining: [422, 'Cover can’t begin before you joined the company'],
  cover_after_leaving: [422, 'Cover can’t begin after your last day at the company'],
  last_day_is_over: [
    422,
    'Cover ended with your last day at the company. Nobody can be added any more',
  ],
  cover_ends_before_it_begins: [422, 'The last day can’t be before the first day of cover'],
  too_young_for_that: [
    422,
    'A parent is at least 30 years old and a spouse 16. Check the date of birth',
  ],
  child_too_old: [422, 'This child is past the age until which your company covers children'],
  too_many_dependents: [422, 'No more than 20 dependents can be covered at a time'],
  already_approved: [
    409,
    'HR approved these details. To change more than the name, end this cover and add it again',
  ],
  cover_not_approved: [422, 'There is no cover to end'],
  cover_is_over: [422, 'This cover has ended. Add them again to cover them from a new day'],
  cover_has_begun: [422, 'This cover has begun. End it instead'],
  ended_by_hr: [422, 'HR ended this cover. Ask your HR if it should continue'],

  own_manager: [403, 'Somebody else has to enter your own manager'],
  manager_in_a_circle: [
    422,
    'This would make somebody their own manager, directly or through others. Choose somebody else',
  ],

  // health checks
  slot_full: [409, 'This time is fully booked. Please choose another'],
  slot_closed: [409, 'This time is closed. Please choose another'],
  slot_in_the_past: [422, 'This time has passed. Please choose a later one'],
  booked_that_day: [409, 'You already have a health check on this day. Move or cancel that one'],
  already_booked_here: [422, 'You have already booked this time'],
  booking_cancelled: [422, 'This booking is cancelled'],
  check_has_begun: [422, 'This health check has begun, so it can no longer be changed'],
  after_your_last_day: [422, 'This is after your last day at the company'],
  slot_already_there: [409, 'These times already exist'],
  slot_open: [422, 'This time is open'],
  no_such_day: [422, 'None of the chosen weekdays is between these days'],
  too_many_slots: [422, 'That is more than 5,000 times. Choose fewer days'],
  nothing_to_close: [422, 'No open time is left on this day'],
  provider_closed: [422, 'This provider is closed'],
  provider_open: [422, 'This provider is open'],
  provider_has_slots: [422, 'The time zone can’t be changed: there are already times in it'],
  // messages to the provider
  too_many_messages: [429, 'We already have your messages. Please write again tomorrow'],

  // reports
  period_ends_before_it_begins: [422, 'The period ends before it begins'],
  period_too_long: [422, 'A report covers at most 36 months'],
  period_in_future: [422, 'This month has not begun'],
  company_gone: [422, 'This company no longer exists'],
  report_not_ready: [409, 'This report is not ready yet'],
  report_too_large: [422, 'This report is too large. Choose a shorter period or one company'],
  report_too_slow: [
    422,
    'This report takes too long to make. Try again, or choose a shorter period or one company',
  ],
  report_broken: [500, 'Something went wrong while it was made. It has been recorded'],
  report_not_failed: [409, 'Only a report that failed can be tried again'],

  // one's own data
  export_under_way: [409, 'Your export is already being prepared'],
  exports_used_up: [429, 'You have exported your data 3 times within 24 hours. Try again tomorrow'],
  export_not_failed: [422, 'Only a failed export can be tried again'],
  password_needed: [403, 'Please enter your password once more'],
  erasure_already_requested: [409, 'You have already requested erasure'],
  no_erasure_requested: [422, 'You have no request to withdraw'],
  erasure_decided: [409, 'This request has already been decided'],
  erasure_last_super_admin: [422, 'The last active super admin can’t be erased. Add another first'],
  erasure_only_admin: [
    422,
    'A company needs one owner without an end date who stays. Make somebody else an owner first',
  ],
  erasure_too_wide: [
    422,
    'This would change more of others’ records than one person’s data can. Ask the operator to look at it first',
  ],
  erasure_open_claims: [422, 'Claims are still open. Decide or withdraw them first'],
  erasure_unpaid_claims: [422, 'Approved claims are not paid yet. Pay them out first'],
  erasure_overpaid: [422, 'An overpayment has not been settled yet'],
  person_erased: [422, 'This person was erased at their own request, so nothing can be changed'],

  // the record of changes and of sign-ins
  too_many_sign_ins: [422, 'There are more sign-ins than the 100,000 that one file takes'],

  // the server itself
  file_damaged: [
    500,
    'This file is missing from storage or was changed there, so it can’t be opened',
  ],
  storage_full: [503, 'Storage is full right now. Nothing was saved, please try again later'],
  storage_away: [503, 'File storage is not responding right now. Please try again in a moment'],
  too_many_requests: [429, 'Too many requests. Please wait a moment and try again'],
  unavailable: [503, 'The service is not available right now. Please try again in a moment'],
  busy: [503, 'The service is very busy. Please try again in a moment'],
  internal: [500, 'Something went wrong. It has been recorded, please try again'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ProblemCode = keyof typeof problems

type ProblemParticulars = {
  /** The fault of each field, for the form. */
  fields?: Record<string, string[]> | undefined
  /** Figures the sentence alone can't give, such as how much is left. */
  facts?: Record<string, string | number> | undefined
}

export class Problem extends Error {
  readonly code: ProblemCode
  readonly fields: Record<string, string[]> | undefined
  readonly facts: Record<string, string | number> | undefined

  constructor(code: ProblemCode, particulars: ProblemParticulars = {}) {
    super(problems[code][1])
    this.code = code
    this.fields = particulars.fields
    this.facts = particulars.facts
  }

  /** A refusal that stands beside a field of the form. */
  static at(field: string, code: ProblemCode): Problem {
    return new Problem(code, { fields: { [field]: [problems[code][1]] } })
  }
}

export const isProblemCode = (name: unknown): name is ProblemCode =>
  typeof name === 'string' && Object.hasOwn(problems, name)
