// The settings of what connects a company's own systems.
import { hostsAndRanges, nameServers, setting } from './setting-shapes.ts'

export const connection_settings = {
  WEBHOOK_ALLOW: setting(
    'Hosts and ranges of addresses (CIDR) that webhooks may be sent to though they are not public, or not https, ' +
      'separated by commas.',
    hostsAndRanges,
    'erp.example.internal, 10.20.0.0/16',
  ),
  SSO_ALLOW: setting(
    'Hosts and ranges of addresses (CIDR) at which a company’s identity provider may be though they are not public, ' +
      'or not https, separated by commas.',
    hostsAndRanges,
    'login.example.internal',
  ),
  DNS_SERVERS: setting(
    'Name servers that are asked for the records that verify a company’s domain, separated by commas. ' +
      'Default: those of the system.',
    nameServers,
    '9.9.9.9, [2620:fe::fe]:53',
  ),
}
