// SCIM's description of itself: its resources, their attributes, its features (RFC 7643, 5 to 7).

export const urn = {
  user: 'urn:ietf:params:scim:schemas:core:2.0:User',
  enterprise: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User',
  group: 'urn:ietf:params:scim:schemas:core:2.0:Group',
  list: 'urn:ietf:params:scim:api:messages:2.0:ListResponse',
  patch: 'urn:ietf:params:scim:api:messages:2.0:PatchOp',
  error: 'urn:ietf:params:scim:api:messages:2.0:Error',
  config: 'urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig',
  type: 'urn:ietf:params:scim:schemas:core:2.0:ResourceType',
  schema: 'urn:ietf:params:scim:schemas:core:2.0:Schema',
} as const

type Attribute = {
  name: string
  type: 'string' | 'boolean' | 'complex' | 'reference'
  multiValued: boolean
  description: string
  required: boolean
  caseExact: boolean
  mutability: 'readOnly' | 'readWrite' | 'immutable'
  returned: 'default' | 'always'
  uniqueness: 'none' | 'server'
  referenceTypes?: string[]
  canonicalValues?: string[]
  subAttributes?: Attribute[]
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  multiValued: false,
  description,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})
const whole = (name: string, description: string, of: Attribute[], more: Partial<Attribute> = {}) =>
  text(name, description, { type: 'complex', subAttributes: of, ...more })
const several = { multiValued: true }
const read_only = { mutability: 'readOnly' } as const
const kept = { mutability: 'immutable' } as const

const contact = (what: string) => [
  text('value', what, { required: true }),
  text('type', 'If there are several, the work one is used.', {
    canonicalValues: ['work', 'mobile'],
  }),
  text('primary', 'Decides between several of one type; without it, the first one is used.', {
    type: 'boolean',
  }),
]

const user_attributes: Attribute[] = [
  text('userName', 'What the identity provider calls the person. Often their address.', {
    required: true,
    uniqueness: 'server',
  }),
  whole('name', 'The person’s name.', [
    text('formatted', 'The whole name, as it is shown.'),
    text('givenName', 'The given name.'),
    text('familyName', 'The family name.'),
  ]),
  // Required in answers; calls may leave them out, and get what follows from the rest.
  text('displayName', 'The whole name, as it is shown.', { required: true }),
  text('active', 'False: they leave today. True again: they are back.', {
    type: 'boolean',
    required: true,
  }),
  whole(
    'emails',
    'One address, at a domain that the company has verified.',
    contact('The address.'),
    {
      ...several,
      required: true,
    },
  ),
  whole(
    'phoneNumbers',
    'One telephone number.',
    contact('The number, 10 to 20 characters.'),
    several,
  ),
  whole(
    'groups',
    'The groups the person is in.',
    [
      text('value', 'The group’s id.', { ...read_only, caseExact: true }),
      text('$ref', 'Where the group is.', {
        ...read_only,
        type: 'reference',
        caseExact: true,
        referenceTypes: ['Group'],
      }),
      text('display', 'The group’s name.', read_only),
      text('type', 'Always “direct”.', { ...read_only, canonicalValues: ['direct'] }),
    ],
    { ...several, ...read_only },
  ),
]

const enterprise_attributes: Attribute[] = [
  text('department', 'The department, unless a group of the person stands for one.'),
  text('employeeNumber', 'The company’s own number for the person.', { uniqueness: 'server' }),
]

const group_attributes: Attribute[] = [
  text('displayName', 'The group’s name.', { required: true, uniqueness: 'server' }),
  whole(
    'members',
    'Who is in the group.',
    [
      text('value', 'The person’s id.', { ...kept, caseExact: true }),
      text('$ref', 'Where the person is.', {
        ...kept,
        type: 'reference',
        caseExact: true,
        referenceTypes: ['User'],
      }),
      text('type', 'Always “User”.', { ...kept, canonicalValues: ['User'] }),
    ],
    several,
  ),
]

export function configOf(base: string) {
  return {
    schemas: [urn.config],
    documentationUri: 'https://www.rfc-editor.org/rfc/rfc7644',
    patch: { supported: true },
    bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
    filter: { supported: true, maxResults: page_max },
    changePassword: { supported: false },
    sort: { supported: true },
    etag: { supported: true },
    authenticationSchemes: [
      {
        type: 'oauthbearertoken',
        name: 'SCIM key',
        description:
          'A key of the company, made at Settings, Connections: Authorization: Bearer hfk_…',
        specUri: 'https://www.rfc-editor.org/rfc/rfc6750',
        primary: true,
      },
    ],
    meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
  }
}

export const page_max = 200

export const schemasOf = (base: string) =>
  [
    { id: urn.user, name: 'User', description: 'An employee', attributes: user_attributes },
    {
      id: urn.enterprise,
      name: 'EnterpriseUser',
      description: 'What a company adds to an employee',
      attributes: enterprise_attributes,
    },
    { id: urn.group, name: 'Group', description: 'A group', attributes: group_attributes },
  ].map((schema) => ({
    schemas: [urn.schema],
    ...schema,
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${schema.id}` },
  }))

export const typesOf = (base: string) =>
  [
    {
      id: 'User',
      name: 'User',
      endpoint: '/Users',
      description: 'An employee',
      schema: urn.user,
      schemaExtensions: [{ schema: urn.enterprise, required: false }],
    },
    {
      id: 'Group',
      name: 'Group',
      endpoint: '/Groups',
      description: 'A group',
      schema: urn.group,
      schemaExtensions: [],
    },
  ].map((type) => ({
    schemas: [urn.type],
    ...type,
    meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${type.id}` },
  }))

/** Attributes of RFC 7643 that nobody here keeps; identity providers send them anyway. */
const kept_by_nobody = [
  'id',
  'meta',
  'schemas',
  'externalId',
  'nickName',
  'profileUrl',
  'title',
  'userType',
  'preferredLanguage',
  'locale',
  'timezone',
  'password',
  'ims',
  'photos',
  'addresses',
  'entitlements',
  'roles',
  'x509Certificates',
  'costCenter',
  'organization',
  'division',
  'manager',
]

const names = new Map<string, string>()
const gather = (attributes: Attribute[]) => {
  for (const { name, subAttributes = [] } of attributes) {
    names.set(name.toLowerCase(), name)
    gather(subAttributes)
  }
}
gather([...user_attributes, ...enterprise_attributes, ...group_attributes])
for (const name of kept_by_nobody) names.set(name.toLowerCase(), name)
for (const id of [urn.user, urn.enterprise, urn.group]) names.set(id.toLowerCase(), id)

/** The spelling of the schemas: `USERNAME` → `userName`. Unknown names have none. */
export const canonical = (name: string): string | undefined => names.get(name.toLowerCase())
