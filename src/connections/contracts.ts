// The contracts of the Connections page. Few people open it: they are no part of the first load.
import { connections } from './connections.contract.ts'
import { domains } from './domains/domains.contract.ts'
import { scim } from './scim/scim.contract.ts'
import { sources } from './sources/sources.contract.ts'
import { sso } from './sso/sso.contract.ts'
import { webhooks } from './webhooks/webhooks.contract.ts'

export const connection_contracts = { connections, webhooks, domains, sso, scim, sources }
