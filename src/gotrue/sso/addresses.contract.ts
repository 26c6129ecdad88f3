// The addresses that a company gives its identity provider.

/** Each company has its own: what another's provider sends there is not taken for theirs. */
export const ssoAddresses = (service: string, company_id: string) => ({
  oidc: `${service}/sso/oidc/${company_id}`,
  oidc_logout: `${service}/sso/oidc/${company_id}/logout`,
  entity: `${service}/sso/saml/${company_id}/metadata`,
  acs: `${service}/sso/saml/${company_id}/acs`,
  slo: `${service}/sso/saml/${company_id}/slo`,
})
