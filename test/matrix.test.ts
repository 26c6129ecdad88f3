// Every act × every role and every right × pending, suspended and signed out. Made from the contracts: a new act is
// in it by itself, and is done for everybody who may ask, unless `answers` has another. All of it is rolled back: the
// next one finds what the first one found.
// test/strangers.test.ts has the answers of each act about another's objects.
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { admin_rights, isOpenTo, type Callers } from '#permissions/callers.ts'
import { contracts } from '#contracts.ts'
import { newCertificate } from '#gotrue/sso/certificate.server.ts'
import { toRequest, type Endpoint } from '#lib/contract.ts'
import { fresh_sign_in_acts } from '#permissions/fresh.ts'
import { callers } from '#policy.ts'
import { CompanyRight } from '#users/rights.contract.ts'
import { belongingsOf, type Belongings } from './world/one-of-each.ts'
import type { Company, Person } from './world/people.ts'
import { withRights } from './world/rights.ts'
import { openedScene } from './world/scene.ts'
import { inputOf } from './own-input.ts'
import { valuesOf, type Filled } from './own-values.ts'
import { rollBack } from './rolled-back.ts'

const acts = Object.entries(contracts).flatMap(([feature, contract]) =>
  Object.entries(contract as Record<string, Endpoint>).map(([name, endpoint]) => ({
    act: `${feature}.${name}`,
    endpoint,
    who: callers[`${feature}.${name}` as keyof typeof callers],
  })),
)
const rights = CompanyRight.options
const an_issuer = {
  issuer: 'https://login.example.com',
  client_id: 'us',
  client_secret: 'a secret',
}
/** The caller: a role, or the one right that somebody of the company has and nothing else. */
const askers = ['super_admin', 'company_admin', 'employee', ...rights] as const
const at_once = { super_admin: [], employee: [], company_admin: admin_rights }

function mayAsk(who: Callers, one: (typeof askers)[number]): boolean {
  if (typeof who === 'string') return true
  const role = CompanyRight.safeParse(one).success ? 'company_admin' : one
  const held = one in at_once ? at_once[one as keyof typeof at_once] : [one as CompanyRight]
  return isOpenTo(who, { role: role as 'company_admin', rights: held, has_own: false })
}

/** The answers other than being done: of an act, or of an act to one of those who may ask. */
const answers: Record<string, string> = {
  'users.setup': 'not_found',
  'users.change_request': 'not_requested',
  'users.change_request pending': 'ok',
  'users.change_role': 'has_a_fund',
  'employees.approve owner': 'not_found',
  'employees.decline owner': 'not_found',
  'many.undo_put_in_group': 'undo_over',
  'dependents.undo people': 'undo_not_yours',
  'review.open_receipts': 'receipts_not_for_you',
  'review.undo reviewer': 'undo_not_yours',
  'notifications.read': 'not_found',
  'notifications.read employee': 'ok',
  'imports.upload': 'not_found',
  'imports.approve': 'import_not_ready',
  'imports.undo': 'import_not_ready',
  'absences.end': 'not_found',
  'absences.end company_admin': 'ok',
  'privacy.request_export employee': 'export_under_way',
  'privacy.retry_export': 'not_found',
  'privacy.retry_export employee': 'export_not_failed',
  'privacy.download_export': 'not_found',
  'privacy.request_erasure employee': 'erasure_already_requested',
  'privacy.withdraw_erasure': 'no_erasure_requested',
  'privacy.withdraw_erasure employee': 'ok',
  'privacy.find_erasure super_admin': 'not_found',
  'privacy.approve_erasure': 'erasure_open_claims',
  'privacy.approve_erasure super_admin': 'not_found',
  'privacy.refuse_erasure super_admin': 'not_found',
  'adjustments.confirm company_admin': 'adjustment_needs_another',
  'adjustments.decline company_admin': 'adjustment_needs_another',
  'adjustments.withdraw finance': 'adjustment_of_another',
  'payouts.settle_overpayment': 'overpayment_changed',
  'payouts.release company_admin': 'release_needs_another',
  'settings.change_profile': 'changed_meanwhile',
  'settings.end_session': 'not_found',
  'settings.end_session employee': 'ok',
  'domains.confirm_code': 'domain_code_wrong',
  'sso.connect_saml': 'saml_metadata_invalid',
  'sources.trust': 'host_key_changed',
  'health_checks.change_provider super_admin': 'not_found',
  'health_checks.close_provider super_admin': 'not_found',
  'health_checks.reopen_provider super_admin': 'not_found',
  'health_checks.preview_slots super_admin': 'not_found',
  'health_checks.add_slots super_admin': 'not_found',
  'health_checks.close_slot super_admin': 'not_found',
  'health_checks.reopen_slot super_admin': 'not_found',
  'health_checks.close_day super_admin': 'not_found',
  'health_checks.day_list super_admin': 'not_found',
  'receipts.upload': 'receipt_kind',
  'receipts.black_out': 'receipt_in_claim',
  'receipts.thumbnail': 'not_found',
  'receipts.file': 'not_found',
  'rights.confirm company_admin': 'right_given_by_you',
  'views.save people': 'page_closed',
  'views.change people': 'not_found',
  'views.change reviewer': 'not_found',
  'views.remove people': 'not_found',
  'views.remove reviewer': 'not_found',
}

const is = (answer: { status: number; code: string | undefined }, status: number, code: string) =>
  assert.deepEqual([answer.status, answer.code], [status, code])

async function samlMetadata(): Promise<string> {
  const { certificate } = await newCertificate('A provider')
  return `<EntityDescriptor entityID="https://login.example.com"><IDPSSODescriptor>
    <KeyDescriptor><KeyInfo><X509Data><X509Certificate>${certificate.replaceAll(/-----[^-]+-----|\s/g, '')}
    </X509Certificate></X509Data></KeyInfo></KeyDescriptor>
    <SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect"
      Location="https://login.example.com/sso"/></IDPSSODescriptor></EntityDescriptor>`
}

describe('who may call what', () => {
  const scene = openedScene()
  let acme: Company
  let own: Belongings
  let values: Filled
  /** An input of each act that wants a fresh sign-in for some inputs only. */
  let only_then: Filled
  let people: Record<(typeof askers)[number], Person>
  /** The same people in a session that they began long ago. */
  let as_before: typeof people
  let pending: Person
  let suspended: Person

  before(async () => {
    own = await belongingsOf(scene, 'Ana')
    acme = own.stage.company
    people = {
      super_admin: await scene.superAdmin(),
      company_admin: acme.admin,
      employee: own.person,
    } as typeof people
    for (const right of rights) people[right] = await withRights(scene, acme, right)
    await acme.admin.api.sso.connect_oidc(an_issuer)
    pending = await scene.signUp('nobody@nowhere.test', 'employee')
    suspended = await acme.hire('Sven')
    await scene.sql`update profiles set status = 'suspended' where id = ${suspended.id}`
    values = {
      ...(await valuesOf(own)),
      'sso.switch': { enabled: false },
      'sso.change_rules': { required: false },
    }
    only_then = {
      'users.add': { ...values['users.add'], role: 'company_admin', company_id: acme.id },
      'users.approve': { id: (await scene.signUp(`joins@${acme.domain}`, 'company_admin')).id },
      'employees.approve': { id: (await scene.signUp(`more@${acme.domain}`, 'company_admin')).id },
      'imports.set_leaver_limit': { leave_percent: 50 },
      'sso.connect_saml': { metadata: await samlMetadata() },
    }
    as_before = { ...people }
    for (const asker of askers) {
      as_before[asker] = await scene.signIn(people[asker].email)
      await scene.stale(people[asker])
      await scene.confirm(people[asker])
    }
    rollBack(scene.services.transactions)
  })

  async function ask(
    { act, endpoint }: (typeof acts)[number],
    person: Person | undefined,
    input = inputOf({ act, endpoint }, own, values),
  ) {
    const request = toRequest(endpoint, 'http://127.0.0.1', input, {
      file: new Blob(['name,email\nNora,nora@elsewhere.test\n']),
    })
    if (person) request.headers.set('authorization', `Bearer ${person.token}`)
    const answer = await scene.services.app.request(request)
    const is_json = answer.headers.get('content-type')?.startsWith('application/json')
    const body = is_json ? ((await answer.json()) as { code?: string }) : undefined
    if (!is_json) await answer.body?.cancel()
    return { status: answer.status, code: answer.ok ? 'ok' : body?.code }
  }

  for (const one of acts) {
    const { act, who } = one
    test(act, async () => {
      const answers_as = async (asker: string, person: Person | undefined) => {
        const { code } = await ask(one, person)
        assert.equal(code, answers[`${act} ${asker}`] ?? answers[act] ?? 'ok', asker)
      }
      if (who === 'anyone') await answers_as('visitor', undefined)
      else is(await ask(one, undefined), 401, 'not_signed_in')
      is(await ask(one, suspended), 401, 'not_signed_in')
      if (typeof who === 'string') await answers_as('pending', pending)
      else is(await ask(one, pending), 403, 'account_pending')

      for (const asker of askers) {
        if (mayAsk(who, asker)) await answers_as(asker, people[asker])
        else is(await ask(one, people[asker]), 403, 'forbidden')
      }
      const asker = askers.find((each) => typeof who !== 'string' && mayAsk(who, each))
      if (!asker) return
      const { code } = await ask(
        one,
        as_before[asker],
        inputOf(one, own, { ...values, ...only_then }),
      )
      assert.equal(
        code === 'password_needed',
        act in fresh_sign_in_acts,
        `with an old sign-in: ${code}`,
      )
    })
  }
})
