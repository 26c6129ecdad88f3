// Promises of the sentences in mails of notifications.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { morningMail } from './mails.server.ts'
import { unsubscribeLinks } from './unsubscribe.server.ts'

const site_url = 'http://127.0.0.1'
const places = { site_url, links: unsubscribeLinks(Buffer.alloc(32), site_url) }
const helena = {
  id: '00000000-0000-4000-8000-000000000001',
  email: 'helena@aurora.example',
  full_name: 'Helena',
  company_name: 'Aurora',
  time_zone: 'UTC',
}
const need = {
  kind: 'claim_submitted',
  items: 1,
  number: 7,
  cents: null,
  since: null,
  due_at: null,
  overdue: false,
  path: '/dashboard/claims/7',
} as const
const news = {
  title: 'Report is ready',
  sentence: '',
  path: '/dashboard/reports',
  switch: 'always',
} as const

test('one thing beside a piece of news needs you, two things need you', () => {
  const subjectOf = (...of: Parameters<typeof morningMail>) => morningMail(...of)?.subject
  assert.equal(subjectOf(helena, [need], [news], places), '1 thing needs you at Aurora')
  const two = [need, { ...need, number: 8, path: '/dashboard/claims/8' }]
  assert.equal(subjectOf(helena, two, [], places), '2 things need you at Aurora')
})

test('nothing is mailed where all was done meanwhile', () => {
  assert.equal(morningMail(helena, [], [], places), undefined)
})
