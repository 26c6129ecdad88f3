// Problems between a company and its own systems.

export const connection_problems = {
  // keys of a company
  company_pending: [422, 'Your company is not active yet. The provider has to activate it'],
  key_name_taken: [409, 'Another API key has this name'],
  key_ends_past: [422, 'The last day can’t be in the past'],
  key_ends_too_late: [422, 'An API key lasts a year at most. Make another one before it ends'],
  key_ended: [422, 'This API key has ended. Make another one'],
  key_revoked: [422, 'This API key is revoked'],
  too_many_keys: [422, 'A company has at most 20 API keys. Revoke one that is no longer used'],
  // what a company's identity provider sends
  scim_syntax: [400, 'This is not a valid SCIM request'],
  scim_filter: [400, 'This filter can’t be read, or uses an attribute that can’t be filtered'],
  scim_path: [400, 'This path does not exist here'],
  scim_value: [400, 'This value is missing or not accepted'],
  scim_no_target: [400, 'This path matches nothing that could be changed'],
  scim_too_many: [413, 'Send at most 1,000 operations at once'],
  scim_version: [412, 'This has changed in the meantime. Read it again'],
  scim_not_offered: [501, 'This part of SCIM is not supported here'],
  scim_admin: [
    403,
    'People with rights for the company can be changed only in Healthfund, not by SCIM',
  ],
  scim_suspended: [
    409,
    'An admin or the provider suspended this person. Only they can re-activate them',
  ],
  scim_left_by_hr: [409, 'HR set this person’s last day. Only HR can remove it'],
  outside_proven_domains: [400, 'SCIM takes only addresses at your company’s verified domains'],
  user_name_taken: [409, 'Somebody here already has this name or address'],
  group_taken: [409, 'Another group has this name'],
  no_such_member: [400, 'This list names somebody who is not here'],
  // domains of a company
  domain_already_yours: [409, 'This domain is already verified'],
  too_many_domains: [422, 'A company has at most 20 more domains'],
  domain_mailed_enough: [
    422,
    'At most three codes a day. Use the DNS record, or try again tomorrow',
  ],
  domain_code_wrong: [422, 'This code is wrong, or older than a day'],
  // the identity provider of a company
  client_secret_needed: [422, 'Enter the client secret of this issuer'],
  saml_metadata_invalid: [422, 'This is not the metadata of an identity provider'],
  sso_not_tested: [422, 'Test the provider first'],
  sso_needs_domain: [422, 'Verify a domain first'],
  sso_needs_second_owner: [422, 'You connected it, so another owner has to switch it on'],
  sso_switch_off_first: [422, 'Switch it off first. Another owner then switches it on again'],
  sso_off: [422, 'Switch it on first'],
  sso_try_first: [422, 'Sign in through the provider yourself first'],
  no_such_break_glass: [422, 'Choose an active owner who has a password'],
  // webhooks of a company
  webhook_url_invalid: [422, 'Enter a full address: https://, without a user, a password or a #'],
  webhook_needs_https: [422, 'The address must begin with https://'],
  webhook_url_private: [422, 'This address is not on the public internet'],
  too_many_webhooks: [422, 'A company has at most 10 webhooks. Remove one that is no longer used'],
  webhook_sending: [409, 'This webhook is active already'],
  webhook_not_sending: [409, 'This webhook is not active'],
  test_under_way: [409, 'A test event is on its way already'],
  delivery_waiting: [409, 'This is already on its way'],

  host_key_changed: [
    409,
    'The server has shown another key in the meantime. Check it and try again',
  ],
  ssh_key_needs_sftp: [
    422,
    'A private SSH key works only with an address that begins with sftp://',
  ],
  source_secret_needed: [422, 'Enter the password, token or key of this server'],
  source_admin_gone: [422, 'The admin who set this up is no longer active. Save it again'],
} as const satisfies Record<string, readonly [status: number, title: string]>
