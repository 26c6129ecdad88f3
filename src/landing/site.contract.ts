import { z } from 'zod'
import { get } from '#lib/contract.ts'
import { Role } from '#users/users.contract.ts'

/** The operator of this installation, from the settings; fields they leave out are null. */
export const Operator = z.object({
  name: z.string().nullable(),
  address: z.string().nullable(),
  email: z.string().nullable(),
  country: z.string().nullable(),
})

export type Site = z.infer<typeof Site>
export const Site = z.object({
  operator: Operator,
  /** Days until each kind of thing goes, by the rules of src/lib/retention.ts. */
  kept: z.record(z.string(), z.int()),
  /** The demo world's logins, for anybody, while it is on. */
  demo: z
    .object({
      logins: z
        .object({
          role: Role,
          full_name: z.string(),
          email: z.string(),
          password: z.string(),
          sees: z.string(),
        })
        .array(),
    })
    .nullable(),
})

export const site = { about: get('/site', z.object({}), Site) }
