import { z } from 'zod'
import { besideFields } from '#lib/field-problems.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import { deviceOf } from '#lib/device.ts'
import type { Handlers } from '#lib/serve.server.ts'
import { Problem } from '#problems.ts'
import {
  CompanyCalendar,
  CompanySettings,
  Profile,
  SessionLine,
  Switches,
  settings,
} from './settings.contract.ts'

const own_department = { department_kept_by_hr: 'department', own_benefit: 'department' } as const

export const settingsHandlers: Handlers<typeof settings> = {
  profile: ({ tx, actor }) => findProfile(tx, actor.id),

  change_profile: async ({ tx, actor, input }) => {
    const { version, full_name, phone = null, department = null } = input
    const changed = await besideFields(
      own_department,
      tx`update profiles set full_name = ${full_name}, phone = ${phone}, department = ${department}
        where id = ${actor.id} and version = ${version} returning id`,
    )
    if (changed.length === 0) throw new Problem('changed_meanwhile')
    await tx`select publish(${`person:${actor.id}`}), publish(${`admins:${actor.company_id}`}), publish('supers')`
    return findProfile(tx, actor.id)
  },

  company: ({ tx, actor }) => findCompany(tx, actor.company_id),

  change_company: async ({ tx, actor, input }) => {
    const { admins_two_step, receipts_restricted = null } = input
    const two_step = admins_two_step ? admins_two_step === 'required' : null
    await tx`select set_company_rules(${two_step}, ${receipts_restricted})`
    return findCompany(tx, actor.company_id)
  },

  switches: ({ tx, actor }) => findSwitches(tx, actor.id),

  calendar: ({ tx, actor }) => findCalendar(tx, actor.company_id),

  change_calendar: async ({ tx, actor, input: { country, region } }) => {
    await besideFields({ unknown_place: 'region' }, tx`select set_calendar(${country}, ${region})`)
    return findCalendar(tx, actor.company_id)
  },

  places: ({ tx, input: { country = null } }) =>
    rows(
      settings.places.output.element,
      tx`select case when ${country}::text is null then country else region end as code, name
        from holiday_places
        where case when ${country}::text is null then region = ''
          else country = ${country} and region <> '' end
        order by lower(name), 1`,
    ),

  // One statement: two switches pressed at the same moment both count.
  change_switches: async ({ tx, actor, input }) => {
    const email = input.email_notifications ?? null
    const claims = input.claim_updates ?? null
    const funds = input.fund_alerts ?? null
    const tips = input.health_tips ?? null
    await tx`
      insert into preferences as p
        (person_id, email_notifications, claim_updates, fund_alerts, health_tips)
      select ${actor.id}, coalesce(${email}, w.email_notifications), coalesce(${claims}, w.claim_updates),
          coalesce(${funds}, w.fund_alerts), coalesce(${tips}, w.health_tips)
        from preferences_of(${actor.id}) w
      on conflict (person_id) do update set
        email_notifications = coalesce(${email}, p.email_notifications),
        claim_updates = coalesce(${claims}, p.claim_updates),
        fund_alerts = coalesce(${funds}, p.fund_alerts),
        health_tips = coalesce(${tips}, p.health_tips)`
    await tx`select publish(${`person:${actor.id}`})`
    return findSwitches(tx, actor.id)
  },

  sessions: async ({ tx }) => {
    const found = await rows(AsKept, tx`select * from my_sessions()`)
    return found.map(({ user_agent, ...session }) => ({ ...session, device: deviceOf(user_agent) }))
  },

  end_session: async ({ tx, input: { id } }) => {
    const ended = await endSessions(tx, id)
    if (ended === 0) throw new Problem('not_found')
    return { ended }
  },

  end_other_sessions: async ({ tx }) => ({ ended: await endSessions(tx, null) }),
}

const AsKept = SessionLine.omit({ device: true }).extend({ user_agent: z.string().nullable() })

async function endSessions(tx: Tx, id: string | null): Promise<number> {
  const [done] = await tx<[{ ended: number }]>`select end_my_sessions(${id}) as ended`
  return done.ended
}

const findProfile = (tx: Tx, id: string) =>
  row(
    Profile,
    tx`select full_name, email, phone, department, version,
        json_build_object('department', own_department_refusal(company_id, id)) as refusals
      from profiles where id = ${id}`,
  )

const findSwitches = (tx: Tx, id: string) => row(Switches, tx`select * from preferences_of(${id})`)

const findCalendar = (tx: Tx, id: string | null) =>
  row(
    CompanyCalendar,
    tx`select c.time_zone, c.country, c.region, coalesce(p.kept_list = p.list, false) as is_known,
        coalesce((select json_agg(json_build_object('on_day', h.on_day, 'name', h.name)
            order by h.on_day)
          from public_holidays h where h.country = c.country and h.region = c.region
            and h.on_day >= company_today(c.id)
            and h.on_day < company_today(c.id) + interval '1 year'), '[]') as holidays
      from companies c left join holiday_places p on p.country = c.country and p.region = c.region
      where c.id = ${id}`,
  )

const findCompany = (tx: Tx, id: string | null) =>
  row(
    CompanySettings,
    tx`select c.name, c.domain, c.currency,
        case when c.admins_need_two_step then 'required' else 'optional' end as admins_two_step,
        c.receipts_restricted,
        coalesce(h.pending + h.active + h.suspended, 0) as employees,
        coalesce((select sum(f.allocated_cents) from category_funds f
          where f.company_id = c.id and f.plan_year = (select current_plan_year(c.id))), 0)::bigint
          as allocated_cents
      from companies c left join headcounts h on h.company_id = c.id where c.id = ${id}`,
  )
