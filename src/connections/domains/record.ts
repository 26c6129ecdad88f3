// The TXT record by which a domain says whose it is. The company's id is no secret: only who runs the domain can put
// it there.

export const recordOf = (domain: string, company_id: string) => ({
  name: `_healthfund-challenge.${domain}`,
  value: `healthfund-domain-verification=${company_id}`,
})
