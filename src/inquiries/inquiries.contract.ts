import { z } from 'zod'
import { del, get, post, put } from '#lib/contract.ts'
import { CompanyName, Name } from '#lib/one-line.ts'

/** The fields of the contact page. */
export const NewInquiry = z.object({
  full_name: Name,
  email: z
    .string()
    .trim()
    .min(1, 'Work email is required')
    .max(255, 'Email must be at most 255 characters')
    .pipe(z.email('Invalid email address')),
  company: CompanyName,
  people: z.coerce
    .number('Enter a whole number')
    .int('Enter a whole number')
    .min(1, 'Enter at least 1')
    .max(10_000_000, 'Enter at most 10,000,000'),
  message: z
    .string()
    .trim()
    .min(10, 'Please write a sentence or two')
    .max(4000, 'At most 4,000 characters'),
})

/** An admin whom a page of theirs leads to the form: it need not ask again who they are. */
export const KnownAsker = z.object({
  full_name: z.string(),
  email: z.string(),
  company: z.string(),
  people: z.string(),
})

export type Inquiry = z.infer<typeof Inquiry>
export const Inquiry = z.object({
  id: z.uuid(),
  full_name: z.string(),
  email: z.string(),
  company: z.string(),
  people: z.int(),
  message: z.string(),
  /** A machine seems to have sent it: kept apart, nobody was told. */
  suspect: z.boolean(),
  received_at: z.iso.datetime(),
  answered_at: z.iso.datetime().nullable(),
  answered_by_name: z.string().nullable(),
})

export type InquiryState = z.infer<typeof InquiryState>
export const InquiryState = z.enum(['open', 'answered', 'suspect'])

const InquiryId = z.object({ id: z.uuid() })

export const inquiries = {
  /** Says when the form was opened, so that what is sent at once can be told apart. */
  form: get('/inquiries/form', z.object({}), z.object({ stamp: z.string() })),
  send: post(
    '/inquiries',
    NewInquiry.extend({
      stamp: z.string().max(200).default(''),
      /** Nobody sees this field; what fills all fields fills it, too. */
      website: z.string().max(500).default(''),
    }),
    z.object({ received: z.literal(true) }),
    { limit_bytes: 32 * 1024 },
  ),
  list: get(
    '/inquiries',
    z.object({
      state: InquiryState.optional(),
      after: z.string().max(2000).optional(),
      limit: z.coerce.number().int().min(1).max(200).default(50),
    }),
    z.object({ inquiries: Inquiry.array(), next: z.string().nullable(), open: z.int() }),
  ),
  find: get('/inquiries/:id', InquiryId, Inquiry),
  answer: put('/inquiries/:id/answered', InquiryId.extend({ answered: z.boolean() }), Inquiry),
  remove: del('/inquiries/:id', InquiryId, InquiryId),
}
