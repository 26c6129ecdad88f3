// The part of SCIM that admins see and set.
import type { Config } from '#lib/config.server.ts'
import { row, rows, type Tx } from '#lib/db.server.ts'
import type { RequestPlace } from '#lib/hosts.server.ts'
import type { Handlers } from '#lib/serve.server.ts'
import type { Actor } from '#actor.ts'
import { ScimOverview, ScimCall, type scim } from './scim.contract.ts'
import { baseAddress } from './service.server.ts'

const calls_max = 50

export const scimHandlers = (config: Config): Handlers<typeof scim> => ({
  overview: (request) => overview(config, request),

  change: async ({ input: { invites, dry_run }, ...request }) => {
    await request.tx`select set_scim(${invites}, ${dry_run})`
    return overview(config, request)
  },

  map: async ({ input: { id, department }, ...request }) => {
    await request.tx`select map_scim_group(${id}, ${department})`
    return overview(config, request)
  },

  calls: async ({ tx, actor, input: { before = null } }) => {
    const found = await rows(
      ScimCall,
      tx`select id, at, method, path, dry_run, status, code, changes from scim_calls
        where company_id = ${actor.company_id}
          and (${before}::bigint is null or id < ${before}::bigint)
        order by id desc limit ${calls_max + 1}`,
    )
    const calls = found.slice(0, calls_max)
    return { calls, next: found.length > calls_max ? (calls.at(-1)?.id ?? null) : null }
  },
})

type AdminRequest = Pick<RequestPlace, 'origin'> & { tx: Tx; actor: Actor }
const overview = (config: Config, { tx, actor: { company_id }, origin }: AdminRequest) =>
  row(
    ScimOverview,
    tx`select ${baseAddress(config, origin)}::text as base_address,
        coalesce((select s.invites from scim_settings s where s.company_id = ${company_id}),
          true) as invites,
        scim_dry_run() as dry_run, to_json(scim_domains()) as domains,
        coalesce((select json_agg(g order by lower(g.display_name)) from (
          select x.id, x.display_name, x.department, (select count(*) from scim_members m
              where m.company_id = x.company_id and m.group_id = x.id) as members
            from scim_groups x where x.company_id = ${company_id}
            order by lower(x.display_name) limit 1000) g), '[]') as groups`,
  )
