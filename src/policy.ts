// Who may do what: every act and who may call it at all. Why an act may not be done to a thing as it is now
// is said beside the thing: `person_refusal`, `claim_refusal`, … in src/*/*.sql (docs/decisions/014).
import type { Act } from '#contracts.ts'
import type { ProblemCode } from '#problems.ts'
import { rightFor, type ActingKey } from '#rights.ts'
import type { Role, UserStatus, Waiting } from '#users/users.contract.ts'

export type Actor = {
  id: string
  role: Role
  status: UserStatus
  company_id: string | null
  /** What their company counts its money in. */
  currency: string | null
  /** An admin with money, claims or family of their time as an employee. */
  has_own: boolean
  waiting_for: Waiting | null
  /** A key of their company asks in their place. */
  key?: ActingKey
}

/** Who asks where nobody is signed in. */
export const visitor: Actor = {
  id: '00000000-0000-0000-0000-000000000000',
  role: 'employee',
  status: 'pending',
  company_id: null,
  currency: null,
  has_own: false,
  waiting_for: 'email_confirmation',
}

/** `anyone`: even signed out. `signed_in`: even pending. Else an active person of one of the roles. */
export type Callers = 'anyone' | 'signed_in' | readonly Role[]

/** Any active person. */
const everybody = ['super_admin', 'company_admin', 'employee'] as const

export const callers: Record<Act, Callers> = {
  'users.me': 'signed_in',
  'users.setup': 'anyone',
  'users.list': ['super_admin'],
  'users.summary': ['super_admin'],
  'users.find': ['super_admin'],
  'users.add': ['super_admin'],
  'users.approve': ['super_admin'],
  'users.decline': ['super_admin'],
  'users.suspend': ['super_admin'],
  'users.reactivate': ['super_admin'],
  'users.change_role': ['super_admin'],
  'users.resend': ['super_admin'],
  'users.remove': ['super_admin'],
  'users.reset_two_step': ['super_admin'],
  'companies.list': ['super_admin'],
  'companies.summary': ['super_admin'],
  'companies.names': ['super_admin'],
  'companies.add': ['super_admin'],
  'companies.find': ['super_admin'],
  'companies.admins': ['super_admin'],
  'companies.activity': ['super_admin'],
  'companies.change': ['super_admin'],
  'companies.activate': ['super_admin'],
  'companies.suspend': ['super_admin'],
  'companies.domain': ['company_admin'],
  'companies.set_auto_registration': ['company_admin'],
  'employees.list': ['company_admin'],
  'employees.summary': ['company_admin'],
  'employees.departments': ['company_admin'],
  'employees.asking': ['company_admin'],
  'employees.export': ['company_admin'],
  'employees.find': ['company_admin'],
  'employees.add': ['company_admin'],
  'employees.edit': ['company_admin'],
  'employees.correct_address': ['company_admin'],
  'employees.leave': ['company_admin'],
  'employees.stay': ['company_admin'],
  'employees.suspend': ['company_admin'],
  'employees.reactivate': ['company_admin'],
  'employees.resend': ['company_admin'],
  'employees.remove': ['company_admin'],
  'employees.approve': ['company_admin'],
  'employees.decline': ['company_admin'],
  'employees.notes': ['company_admin'],
  'employees.add_note': ['company_admin'],
  'employees.remove_note': ['company_admin'],
  'imports.upload': ['company_admin'],
  'imports.list': ['company_admin'],
  'imports.find': ['company_admin'],
  'imports.rows': ['company_admin'],
  'imports.rejected': ['company_admin'],
  'imports.start': ['company_admin'],
  'imports.undo': ['company_admin'],
  'imports.discard': ['company_admin'],
  'funds.overview': ['company_admin'],
  'funds.notices': ['company_admin'],
  'funds.waiting': ['company_admin'],
  'funds.plan': ['company_admin'],
  'funds.preview_plan': ['company_admin'],
  'funds.change_plan': ['company_admin'],
  'funds.add_year': ['company_admin'],
  'funds.allocate': ['company_admin'],
  'funds.deallocate': ['company_admin'],
  'funds.rebalance': ['company_admin'],
  'funds.undo_rebalance': ['company_admin'],
  'funds.rebalances': ['company_admin'],
  'funds.accounts': ['company_admin'],
  'funds.statement': ['company_admin'],
  'funds.export_statement': ['company_admin'],
  'funds.balances': ['company_admin'],
  'funds.trend': ['company_admin'],
  'funds.of_person': ['company_admin'],
  'funds.verify': ['company_admin', 'super_admin'],
  'funds.mine': ['employee'],
  'funds.my_year': ['employee'],
  'funds.my_accounts': ['employee'],
  'funds.my_statement': ['employee'],
  'funds.export_my_statement': ['employee'],
  'funds.print_my_statement': ['employee'],
  'funds.verify_mine': ['employee'],
  'funds.contribute': ['super_admin'],
  'funds.contributions': ['super_admin'],
  'funds.reverse_contribution': ['super_admin'],
  'funds.of_companies': ['super_admin'],
  'funds.of_company': ['super_admin'],
  'funds.managed': ['super_admin'],
  'dependents.mine': ['employee'],
  'dependents.covered': ['employee'],
  'dependents.add': ['employee'],
  'dependents.change': ['employee'],
  'dependents.end': ['employee', 'company_admin'],
  'dependents.resume': ['employee', 'company_admin'],
  'dependents.withdraw': ['employee'],
  'dependents.history': ['employee', 'company_admin'],
  'dependents.of': ['company_admin'],
  'dependents.asking': ['company_admin'],
  'dependents.approve': ['company_admin'],
  'dependents.decline': ['company_admin'],
  'dependents.rules': ['company_admin'],
  'dependents.set_approval': ['company_admin'],
  'dependents.set_child_age': ['company_admin'],
  'claims.options': ['employee'],
  'claims.check': ['employee'],
  'claims.submit': ['employee'],
  'claims.mine': ['employee'],
  'claims.my_summary': ['employee'],
  'claims.find': ['employee'],
  'claims.withdraw': ['employee'],
  'claims.answer': ['employee'],
  'claims.appeal': ['employee'],
  'review.queue': ['company_admin'],
  'review.summary': ['company_admin'],
  'review.find': ['company_admin'],
  'review.approve': ['company_admin'],
  'review.approve_many': ['company_admin'],
  'review.reject': ['company_admin'],
  'review.ask': ['company_admin'],
  'review.take_back_question': ['company_admin'],
  'review.reverse': ['company_admin'],
  'policies.current': ['company_admin'],
  'policies.history': ['company_admin'],
  'policies.preview': ['company_admin'],
  'policies.change': ['company_admin'],
  'policies.types': ['company_admin'],
  'policies.add_type': ['company_admin'],
  'policies.change_type': ['company_admin'],
  'payouts.preview': ['company_admin'],
  'payouts.runs': ['company_admin'],
  'payouts.find': ['company_admin'],
  'payouts.items': ['company_admin'],
  'payouts.make': ['company_admin'],
  'payouts.release': ['company_admin'],
  'payouts.cancel': ['company_admin'],
  'payouts.return_item': ['company_admin'],
  'payouts.payroll_file': ['company_admin'],
  'payouts.bank_file': ['company_admin'],
  'payouts.company_account': ['company_admin'],
  'payouts.set_company_account': ['company_admin'],
  'payouts.debts': ['company_admin'],
  'payouts.settle_debt': ['company_admin'],
  'payouts.my_debt': ['employee'],
  'payouts.my_next': ['employee'],
  'payouts.my_account': ['employee'],
  'payouts.set_my_account': ['employee'],
  'health_checks.providers': ['employee', 'company_admin', 'super_admin'],
  'health_checks.slots': ['employee', 'company_admin', 'super_admin'],
  'health_checks.mine': ['employee'],
  'health_checks.book': ['employee'],
  'health_checks.move': ['employee'],
  'health_checks.cancel': ['employee'],
  'health_checks.calendar': ['employee'],
  'health_checks.reminder': ['employee'],
  'health_checks.add_provider': ['company_admin', 'super_admin'],
  'health_checks.change_provider': ['company_admin', 'super_admin'],
  'health_checks.close_provider': ['company_admin', 'super_admin'],
  'health_checks.reopen_provider': ['company_admin', 'super_admin'],
  'health_checks.preview_slots': ['company_admin', 'super_admin'],
  'health_checks.add_slots': ['company_admin', 'super_admin'],
  'health_checks.close_slot': ['company_admin', 'super_admin'],
  'health_checks.reopen_slot': ['company_admin', 'super_admin'],
  'health_checks.close_day': ['company_admin', 'super_admin'],
  'health_checks.day_list': ['company_admin', 'super_admin'],
  'receipts.upload': ['employee'],
  'receipts.list': ['employee', 'company_admin'],
  'receipts.find': ['employee', 'company_admin'],
  'receipts.remove': ['employee'],
  'receipts.reuse': ['employee'],
  'receipts.thumbnail': ['employee', 'company_admin'],
  'receipts.file': ['employee', 'company_admin'],
  'receipts.opens': ['employee'],
  'settings.profile': everybody,
  'settings.change_profile': everybody,
  'settings.company': ['company_admin'],
  'settings.change_company': ['company_admin'],
  'settings.calendar': ['company_admin'],
  'settings.change_calendar': ['company_admin'],
  'settings.places': ['company_admin'],
  'settings.switches': everybody,
  'settings.change_switches': everybody,
  'settings.sessions': everybody,
  'settings.end_session': everybody,
  'settings.end_other_sessions': everybody,
  'needs.list': everybody,
  'notifications.list': everybody,
  'notifications.unread': everybody,
  'notifications.read': everybody,
  'notifications.read_all': everybody,
  'privacy.exports': everybody,
  'privacy.ask_for_export': everybody,
  'privacy.retry_export': everybody,
  'privacy.download_export': everybody,
  'privacy.erasure': everybody,
  'privacy.ask_for_erasure': everybody,
  'privacy.take_back_erasure': everybody,
  'privacy.erasures_waiting': ['company_admin', 'super_admin'],
  'privacy.erasures': ['company_admin', 'super_admin'],
  'privacy.approve_erasure': ['company_admin', 'super_admin'],
  'privacy.refuse_erasure': ['company_admin', 'super_admin'],
  'site.about': 'anyone',
  'leads.form': 'anyone',
  'leads.send': 'anyone',
  'leads.list': ['super_admin'],
  'leads.find': ['super_admin'],
  'leads.answer': ['super_admin'],
  'leads.remove': ['super_admin'],
  'live.open': 'signed_in',
  'system.health': ['super_admin'],
  'system.figures': ['super_admin'],
  'system.retry_jobs': ['super_admin'],
  'system.check_updates': ['super_admin'],
  'system.installation': ['super_admin'],
  'system.test_mail': ['super_admin'],
  'audit.list': ['super_admin', 'company_admin'],
  'audit.actors': ['super_admin', 'company_admin'],
  'audit.export': ['super_admin', 'company_admin'],
  'audit.sign_ins': ['super_admin', 'company_admin'],
  'audit.export_sign_ins': ['super_admin', 'company_admin'],
  'audit.verify': ['super_admin', 'company_admin'],
  'reports.list': ['super_admin'],
  'reports.summary': ['super_admin'],
  'reports.generate': ['super_admin'],
  'reports.retry': ['super_admin'],
  'reports.remove': ['super_admin'],
  'reports.file': ['super_admin'],
  'reports.schedules': ['super_admin'],
  'reports.schedule': ['super_admin'],
  'connections.keys': ['company_admin'],
  'connections.make_key': ['company_admin'],
  'connections.rotate_key': ['company_admin'],
  'connections.revoke_key': ['company_admin'],
  'connections.claims': ['company_admin'],
}

export function call(actor: Actor, act: Act): ProblemCode | undefined {
  const who = callers[act]
  if (actor.key) {
    const may = who.includes(actor.role) && rightFor(actor.key.rights, act)
    return may ? undefined : 'key_right_missing'
  }
  if (who === 'anyone' || who === 'signed_in') return undefined
  if (actor.waiting_for === 'two_step') return 'two_step_needed'
  if (actor.waiting_for === 'new_password') return 'new_password_needed'
  if (actor.status !== 'active') return 'account_pending'
  return who.includes(seatOf(actor, act).role) ? undefined : 'forbidden'
}

/** As whom they do it: an admin does what only employees do, with what is their own, as an employee. */
export function seatOf(actor: Actor, act: Act): Actor {
  const who = callers[act]
  if (actor.key) {
    return { ...actor, key: { ...actor.key, right: rightFor(actor.key.rights, act) } }
  }
  const as_employee =
    actor.has_own && Array.isArray(who) && !who.includes(actor.role) && who.includes('employee')
  return as_employee ? { ...actor, role: 'employee' } : actor
}

/** Whether a page is theirs to open; the same holds for it. */
export const mayOpen = (
  open_to: readonly Role[],
  { role, has_own }: Pick<Actor, 'role' | 'has_own'>,
) => open_to.includes(role) || (has_own && open_to.includes('employee'))
