// What can go wrong: every code, its HTTP status and its sentence. A refusal that is not here does not compile.
import { of_connections } from '#connections/problems.ts'

export const problems = {
  // the question itself
  malformed_json: [400, 'The request body is not valid JSON'],
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
  last_super_admin: [422, 'The last active super admin can’t be removed or demoted'],
  has_rights: [422, 'They have rights for the company. An owner ends those first'],
  last_owner: [422, 'A company keeps one owner without an end date. Make somebody else one first'],
  policy_needs_them: [409, 'The policy’s steps need this reviewer. Look at what changes first'],
  right_given_already: [422, 'They have this right, or it waits for a second owner'],
  right_is_over: [422, 'This right is over'],
  right_ends_too_soon: [422, 'The last day can’t be before the first day or today'],
  owner_removed_lately: [422, 'An owner was removed less than a day ago. Give this right tomorrow'],
  right_given_by_you: [422, 'You gave this right, so another owner confirms it'],
  right_confirmed_already: [422, 'This right is confirmed already'],
  not_active: [422, 'This account is not active'],
  not_suspended: [422, 'This account is not suspended'],
  not_requested: [422, 'This request was already decided'],
  email_not_confirmed: [422, 'Their email address is not confirmed yet'],
  already_accepted: [422, 'This person has accepted the invitation already'],
  mailed_just_now: [429, 'An email was sent just now. Please wait a minute'],
  address_in_use: [
    422,
    'This person has signed in already. Only they can change their address, in Settings',
  ],
  address_not_vouched: [
    422,
    'Use an address at your company’s own domain: this account is ready, and nobody has confirmed another',
  ],
  came_already: [422, 'This account is in use. Suspend it or set a last day instead'],
  has_a_fund: [422, 'This person has a fund at their company, so they can’t move to another'],
  leaves_before_joining: [422, 'The last day can’t be before the day of joining'],
  personnel_number_taken: [409, 'Another person of your company has this number'],
  group_exists: [409, 'Your company has a group with this name already'],
  group_in_use: [409, 'The policy or a plan names this group. An owner changes that first'],
  page_closed: [403, 'You can’t open this page, so you can’t save a view of it'],
  view_exists: [409, 'You have a view with this name already'],
  too_many_views: [422, 'You have 20 views of this page already. Remove one first'],
  nobody_chosen: [422, 'These filters have no matching people any more'],
  too_many_chosen: [422, 'These are more than 20,000 people. Filter them, or send a file'],
  group_by_department: [422, 'This group goes by department, so nobody is picked for it'],
  joins_after_leaving: [422, 'The day of joining can’t be after the last day'],
  joins_too_far_ahead: [422, 'The day of joining can be at most a year ahead'],
  company_needed: [422, 'Choose the company this person belongs to'],
  company_active: [422, 'This company is active already'],
  outside_own_domain: [
    422,
    'Until your company is activated, only people with an address at its own domain can be added',
  ],
  added_enough_today: [
    429,
    'Your company has written to as many people as it may in a day. Please go on tomorrow',
  ],
  company_suspended: [422, 'This company is suspended already'],
  domain_taken: [409, 'This domain belongs to another company'],
  domain_not_proven: [422, 'First an admin must have confirmed an email address at this domain'],
  absence_backwards: [422, 'The last day can’t be before the first'],
  absence_too_long: [422, 'An absence lasts a year at most'],
  absence_is_over: [422, 'These days are over already'],
  away_already: [422, 'You are away on some of these days already'],
  no_such_deputy: [422, 'Choose another active admin of your company'],
  deputy_is_away: [422, 'They are away themselves on some of these days'],
  unknown_place: [422, 'Choose a country and a region of it'],
  free_mail_domain: [422, 'Anybody can have an address at this domain, so it can’t be a company’s'],

  ...of_connections,

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
  workbook_too_large: [422, 'This workbook is too large. Save it as “CSV UTF-8”'],
  workbook_old: [422, 'Save it as .xlsx without a password'],
  import_not_ready: [422, 'This file is past that step'],
  file_not_read_whole: [
    422,
    'Some rows can’t be read, so nobody leaves by this file. Correct them and send it again',
  ],
  leaves_need_second_admin: [422, 'So many leavers need a second admin. Invite one in Settings'],
  import_started_by_you: [403, 'You sent or started this file. Another admin must approve it'],
  import_in_use: [422, 'Somebody of this file has signed in already, so it can’t be taken back'],

  // receipts
  receipt_empty: [422, 'This file is empty'],
  receipt_kind: [422, 'Only JPEG, PNG, WebP and PDF files are accepted, and this is none of them'],
  receipt_heic: [
    422,
    'HEIC and AVIF photos are not accepted. Choose “Most Compatible” in the camera’s settings, or send a JPEG',
  ],
  receipt_broken: [
    422,
    'This file is damaged and can’t be read. Try another copy, or a photo of it',
  ],
  receipt_locked: [422, 'This PDF is protected by a password. Save it without one and try again'],
  receipt_too_small: [422, 'This picture is too small to be read'],
  receipt_too_many_pixels: [
    422,
    'This picture has more than 50 megapixels. Take it with a lower resolution',
  ],
  receipt_too_many_pages: [422, 'This PDF has more than 20 pages. Send only those of the receipt'],
  receipt_too_heavy: [422, 'This file takes too long to process. Try a photo or a simpler PDF'],
  receipts_wait_already: [
    422,
    '20 receipts wait for their claim already. Remove some, or send the claim first',
  ],
  receipt_gone: [409, 'One of the receipts is not there any more. Add it again'],
  receipts_not_for_you: [403, 'Only reviewers with the right to receipts open restricted ones'],
  receipt_attached: [409, 'This receipt belongs to a claim, so it stays'],
  receipt_in_claim: [409, 'This receipt is on a claim already, so nothing can be blacked out'],
  receipt_being_read: [409, 'This receipt is being read. Try again in a moment'],
  receipt_blacked_meanwhile: [
    409,
    'Parts of this receipt were blacked out in the meantime. Look at it again',
  ],
  blacked_off_page: [422, 'A box is not on a page of this receipt. Draw it again'],

  // money
  amount_must_be_positive: [422, 'Enter an amount above zero'],
  balance_too_large: [422, 'This amount is too large for the books'],
  fund_exhausted: [409, 'There is not enough available for this amount'],
  pool_exhausted: [409, 'The pool does not hold this much ungranted money'],
  unallocated_exhausted: [409, 'There is not this much unallocated money'],
  amount_not_there: [409, 'This amount is not there any more'],
  transfer_to_itself: [422, 'Money can’t move from an account to itself'],
  transfer_already_posted: [409, 'This has happened already, so no money moved'],
  contribution_unusual: [
    409,
    'This is far more than was ever recorded at once for this company: please confirm it',
  ],
  contribution_already_reversed: [409, 'This contribution has been reversed already'],
  contribution_allocated: [
    409,
    'Part of this money is in a category by now: the company has to take it back first',
  ],
  contribution_already_recorded: [409, 'A contribution with this reference is recorded already'],
  adjustment_decided: [409, 'This adjustment is decided already'],
  adjustment_needs_another: [403, 'You proposed this adjustment, so another admin decides it'],
  adjustment_of_another: [403, 'Only whoever proposed it can take it back'],
  less_available: [409, 'This person has less available than that'],
  filing_days_over: [422, 'The days to claim for this plan year are over'],
  no_fund_in_year: [422, 'This person has no fund in this plan year'],
  day_to_come: [422, 'This day has not come yet at the company'],
  company_not_active: [422, 'Activate the company first: before that it can’t hold money'],
  pools_changed: [409, 'The pools have changed meanwhile. Look again and repeat'],
  rebalance_keeps_the_sum: [422, 'A rebalance keeps the sum of the three pools'],
  nothing_to_move: [422, 'The pools are as you want them already'],
  rebalance_already_undone: [409, 'This rebalance is undone already'],
  no_plan_year: [422, 'There is no plan year yet'],
  plan_years_overlap: [409, 'Plan years can’t overlap: another one covers some of these days'],
  plan_year_has_money: [409, 'Money has moved in this plan year, so its dates stay'],
  plan_year_closed: [409, 'This plan year is closed'],
  carry_over_needs_a_limit: [422, 'Carry-over up to an amount needs the amount, and only that'],
  day_outside_plan_year: [422, 'Choose a day within the plan year'],
  grant_below_used: [409, 'Some people have used or hold more than this grant would give them'],
  too_many_entries: [422, 'These are more than 100,000 entries. Choose a shorter time'],

  // dependents
  born_in_the_future: [422, 'The date of birth can’t be in the future'],
  born_too_long_ago: [422, 'The date of birth can’t be 130 years ago or more'],
  one_active_spouse: [409, 'Only one spouse can be covered at a time. First end the other’s cover'],
  cover_before_birth: [422, 'Cover can’t begin before the date of birth'],
  cover_before_joining: [422, 'Cover can’t begin before you joined the company'],
  cover_after_leaving: [422, 'Cover can’t begin after your last day at the company'],
  cover_ends_before_it_begins: [422, 'The last day can’t be before the first day of cover'],
  child_too_old: [422, 'This child is past the age until which your company covers children'],
  too_many_dependents: [422, 'No more than 20 dependents can be covered at a time'],
  approved_already: [
    409,
    'HR approved these details. To change more than the name, end this cover and add it again',
  ],
  cover_not_approved: [422, 'There is no cover to end'],
  cover_is_over: [422, 'This cover is over. Add them again to cover them from a new day'],
  cover_has_begun: [422, 'This cover has begun. End it instead'],
  ended_by_hr: [422, 'HR ended this cover. Ask your HR if it should go on'],

  own_manager: [403, 'Your own manager is entered by somebody else'],
  manager_in_a_circle: [
    422,
    'This would make somebody their own manager, directly or at some step. Choose somebody else',
  ],

  // claims
  amount_over_bill: [422, 'You can claim at most what the bill says'],
  type_inactive: [422, 'This type can’t be claimed any more. Choose another one'],
  type_exists: [409, 'This category has a type with this name already'],
  dependent_needed: [422, 'Solidarity is for your family: choose for whom this was'],
  only_for_yourself: [422, 'This category is for yourself. For a dependent choose Solidarity'],
  not_your_dependent: [422, 'This person is not among your dependents'],
  dependent_not_covered: [422, 'This dependent was not covered on the day of service'],
  service_in_future: [422, 'The day of service is still to come'],
  no_plan_year_then: [422, 'Your company had no plan on the day of service'],
  service_not_covered: [422, 'You were not covered on the day of service'],
  filed_too_late: [422, 'The time to claim for this day is over'],
  claimed_too_soon: [422, 'This can be claimed some months after joining'],
  claimed_too_often: [422, 'This was claimed as often as the policy allows'],
  yearly_limit_reached: [409, 'This is more than is left of a limit for the plan year'],
  dependent_limit_reached: [409, 'This is more than is left of a limit for each dependent'],
  limit_incomplete: [422, 'Say how much, how often or how long'],
  limit_without_dependents: [422, 'A limit for each dependent is for Solidarity'],
  receipt_needed: [422, 'A receipt is needed for this amount'],
  receipt_used: [409, 'This receipt is on another of your claims already'],
  too_many_receipts: [422, 'A claim has at most 5 receipts'],
  needs_a_person: [409, 'This claim can’t be approved automatically'],
  own_claim: [403, 'Nobody decides on their own claim'],
  claim_already_decided: [409, 'This claim is decided already'],
  decided_by_you: [409, 'You approved this. Another admin must approve it too'],
  claim_of_your_manager: [403, 'Nobody decides on a claim of their own manager'],
  step_of_others: [403, 'Others decide this step. Approvals says who'],
  asked_later: [403, 'A later step of this claim needs you, so somebody else decides this one'],
  above_step_limit: [422, 'That is more than this step may approve. Approve part of it'],
  admin_too_new: [
    403,
    'You or the admin before you made the other one an admin: for a day you count as one person',
  ],
  appeal_needs_another: [403, 'You decided on this before, so another admin decides the appeal'],
  information_awaited: [409, 'The employee was asked about this claim and has not answered yet'],
  approved_more_than_asked: [422, 'No more can be approved than was asked'],
  approved_more_than_before: [422, 'No more can be approved than the admin before did'],
  decide_by_line: [422, 'This claim has lines. Decide on each of them'],
  lines_differ: [422, 'The lines have to add up to the amount claimed'],
  approved_nothing: [422, 'Nothing would be approved. Reject the claim instead'],
  reason_needed: [422, 'Explain in one sentence why it is less'],
  more_approvals_needed: [409, 'This claim needs more than one approval: open it to give yours'],
  nothing_asked: [409, 'Nothing is asked about this claim'],
  nothing_to_appeal: [409, 'Only a claim that was rejected or approved in part can be appealed'],
  appealed_already: [409, 'This claim was appealed already, which can be done once'],
  appeal_too_late: [422, 'An appeal can be made within 180 days of the decision'],
  undo_over: [409, 'It is too late to undo this'],
  undo_not_yours: [403, 'Only whoever decided can undo it'],
  undo_money_used: [409, 'This can’t be undone: the money is used for another claim already'],
  not_approved: [409, 'Only an approved claim can be reversed'],
  reversed_already: [409, 'This claim is reversed already'],
  claim_in_run: [409, 'This claim is in a pay run. Cancel or release the run first'],
  steps_need_reviewers: [
    422,
    'More approvals need as many reviewers. Give somebody else the right, or remove a step',
  ],
  not_a_reviewer: [422, 'Only who has the right Reviewer can be asked. Choose again'],

  // payouts
  iban_invalid: [422, 'This IBAN isn’t valid. Check it for a typo'],
  company_iban_invalid: [422, 'This IBAN isn’t valid. Check it for a typo'],
  nothing_to_pay: [409, 'No approved claim waits to be paid up to this day'],
  pay_day_past: [422, 'The pay day can’t be in the past'],
  cut_off_to_come: [422, 'The cut-off can’t be after today'],
  run_released: [409, 'This pay run is released already'],
  run_cancelled: [409, 'This pay run was cancelled'],
  run_not_released: [409, 'This pay run is not released yet'],
  release_needs_another: [403, 'You made this run, so another admin releases it'],
  account_waits: [
    409,
    'A bank account changed meanwhile has to wait. Cancel this payout and make it without',
  ],
  payment_blocked_already: [409, 'This is blocked already'],
  block_removed_already: [409, 'This block is removed already'],
  claim_paid_already: [409, 'This claim is paid already, so its payment can’t be blocked'],
  debt_changed: [409, 'This amount has changed meanwhile. Look at it again'],
  returned_already: [409, 'This payment came back already'],
  nothing_was_paid: [409, 'All of it was withheld, so nothing can come back'],
  month_to_come: [422, 'This month has not begun'],
  book_codes_needed: [422, 'First complete Payroll and books in Settings'],
  account_used_twice: [422, 'This account has another purpose already'],
  datev_two_decimals: [422, 'DATEV needs two decimals. Use the CSV'],
  company_account_needed: [422, 'First say from which account your company pays'],
  nobody_has_an_account: [409, 'Nobody in this run has given a bank account. Use the payroll file'],
  // health checks
  slot_full: [409, 'This time is fully booked. Please choose another'],
  slot_closed: [409, 'This time is closed. Please choose another'],
  slot_in_the_past: [422, 'This time is over. Please choose one to come'],
  booked_that_day: [409, 'You have a health check on this day already. Move or cancel that one'],
  booked_here_already: [422, 'This is the time you have booked'],
  booking_cancelled: [422, 'This booking is cancelled'],
  check_has_begun: [422, 'This health check has begun, so it can’t be changed any more'],
  after_your_last_day: [422, 'This is after your last day at the company'],
  slot_there_already: [409, 'These times are there already'],
  slot_open: [422, 'This time is open'],
  no_such_day: [422, 'None of the chosen weekdays is between these days'],
  too_many_slots: [422, 'These are more than 5,000 times. Choose fewer days'],
  nothing_to_close: [422, 'No open time is left on this day'],
  provider_closed: [422, 'This provider is closed'],
  provider_open: [422, 'This provider is open'],
  provider_has_slots: [422, 'The time zone stays: there are times in it already'],
  // messages to the provider
  too_many_messages: [429, 'We have your messages already. Please write again tomorrow'],

  // reports
  period_backwards: [422, 'The period ends before it begins'],
  period_too_long: [422, 'A report covers at most 36 months'],
  period_in_future: [422, 'This month has not begun'],
  company_gone: [422, 'This company is not here any more'],
  report_not_ready: [409, 'This report is not ready yet'],
  report_too_large: [422, 'It is too large. Choose a shorter period or one company'],
  report_broken: [500, 'Something went wrong while it was made. It has been recorded'],
  report_not_failed: [409, 'Only a report that failed can be tried again'],

  // one's own data
  export_under_way: [409, 'Your data is being put together already'],
  exports_used_up: [429, 'Your data was put together three times today. Ask again tomorrow'],
  export_not_failed: [422, 'Only what has failed can be tried again'],
  password_needed: [403, 'Please enter your password once more'],
  erasure_asked_already: [409, 'You have asked for erasure already'],
  no_erasure_asked: [422, 'There is no request of yours to take back'],
  erasure_decided: [409, 'This request is decided already'],
  erasure_last_super_admin: [422, 'The last active super admin can’t be erased. Add another first'],
  erasure_only_admin: [
    422,
    'The only active admin of a company can’t be erased. Somebody must be there to run it',
  ],
  erasure_too_wide: [
    422,
    'This would change more of others’ records than one person’s data can. Ask the operator to look at it first',
  ],
  erasure_open_claims: [422, 'Claims are still open. Decide or withdraw them first'],
  erasure_unpaid_claims: [422, 'Approved claims are not paid yet. Pay them out first'],
  erasure_overpaid: [422, 'Money that was paid too much is not settled yet'],
  person_erased: [422, 'This person was erased at their own request, so nothing can be changed'],

  // the server itself
  file_damaged: [500, 'This file is missing or was changed on its storage, so it can’t be opened'],
  storage_full: [503, 'There is no room left right now. Nothing was kept, please try again later'],
  storage_away: [
    503,
    'The storage of files does not answer right now. Please try again in a moment',
  ],
  too_many_requests: [429, 'Too many requests. Please wait a moment and try again'],
  unavailable: [503, 'The service is not available right now. Please try again in a moment'],
  busy: [503, 'The service is very busy. Please try again in a moment'],
  internal: [500, 'Something went wrong. It has been recorded, please try again'],
} as const satisfies Record<string, readonly [status: number, title: string]>

export type ProblemCode = keyof typeof problems

type Particulars = {
  /** What is wrong with each field, for the form. */
  fields?: Record<string, string[]> | undefined
  /** Figures the sentence alone can't give, such as how much is left. */
  facts?: Record<string, string | number> | undefined
}

export class Problem extends Error {
  readonly code: ProblemCode
  readonly fields: Record<string, string[]> | undefined
  readonly facts: Record<string, string | number> | undefined

  constructor(code: ProblemCode, particulars: Particulars = {}) {
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
