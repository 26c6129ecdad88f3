// What the page of connections asks. Few open it: it is no part of everybody's first load.
import { connections } from './connections.contract.ts'
import { domains } from './domains/domains.contract.ts'
import { scim } from './scim/scim.contract.ts'
import { sources } from './sources/sources.contract.ts'
import { sso } from './sso/sso.contract.ts'
import { webhooks } from './webhooks/webhooks.contract.ts'

export const connecting = { connections, webhooks, domains, sso, scim, sources }
