// What can go wrong between a company and its own systems.

export const connection_problems = {
  // keys of a company
  company_pending: [422, 'Your company is not active yet. The provider activates it'],
  key_name_taken: [409, 'Another API key has this name'],
  key_ends_past: [422, 'The last day can’t be in the past'],
  key_ends_too_late: [422, 'An API key lasts a year at most. It can be renewed before it ends'],
  key_ended: [422, 'This API key has ended. Make another one'],
  key_revoked: [422, 'This API key is revoked'],
  too_many_keys: [422, 'A company has at most 20 API keys. Revoke one that is no longer used'],
  // what a company's identity provider sends
  scim_syntax: [400, 'This is not what SCIM sends here'],
  scim_filter: [400, 'This filter can’t be read, or asks for what is not filtered by'],
  scim_path: [400, 'This path names nothing here'],
  scim_value: [400, 'This value is missing or not accepted'],
  scim_no_target: [400, 'This path finds nothing to change'],
  scim_too_many: [413, 'Send at most 1,000 operations at once'],
  scim_version: [412, 'This was changed in the meantime. Read it again'],
  scim_not_offered: [501, 'This part of SCIM is not offered here'],
  scim_admin: [403, 'Whoever has a right for the company is changed in Healthfund, never by SCIM'],
  scim_suspended: [409, 'An admin suspended this person. Only an admin can reactivate them'],
  outside_proven_domains: [400, 'SCIM takes only addresses at your company’s proven domains'],
  user_name_taken: [409, 'Somebody here has this name or address already'],
  group_taken: [409, 'Another group has this name'],
  no_such_member: [400, 'Somebody in this list is not here'],
  // domains of a company
  domain_yours_already: [409, 'This domain is proven already'],
  too_many_domains: [422, 'A company has at most 20 more domains'],
  domain_mailed_enough: [422, 'Three codes a day at most. Use the DNS record, or try tomorrow'],
  domain_code_wrong: [422, 'This code is wrong, or older than a day'],
  // the identity provider of a company
  client_secret_needed: [422, 'Enter the client secret of this issuer'],
  saml_metadata_invalid: [422, 'This is not the metadata of an identity provider'],
  sso_not_tested: [422, 'First test the provider'],
  sso_needs_domain: [422, 'First prove a domain'],
  sso_off: [422, 'First switch it on'],
  sso_try_first: [422, 'First sign in by the provider yourself'],
  no_such_break_glass: [422, 'Choose an active admin who has a password'],
  // webhooks of a company
  webhook_url_invalid: [422, 'Enter a full address: https://, without a user, a password or a #'],
  webhook_needs_https: [422, 'The address must begin with https://'],
  webhook_url_private: [422, 'This address is not on the public internet'],
  too_many_webhooks: [422, 'A company has at most 10 webhooks. Remove one that is no longer used'],
  webhook_sending: [409, 'This webhook is active already'],
  webhook_not_sending: [409, 'This webhook is not active'],
  test_under_way: [409, 'A test event is on its way already'],
  delivery_waiting: [409, 'This is on its way already'],

  host_key_changed: [409, 'The server has shown another key meanwhile. Look at it again'],
  source_admin_gone: [422, 'Who set this up is no active admin any more. Save it again'],
} as const satisfies Record<string, readonly [status: number, title: string]>
