// Which of the copies in a bucket stay.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { bucketAt, type Bucket } from '#lib/s3.server.ts'
import { openS3 } from '../../test/s3.ts'
import { namesIn, tidyBucket } from './bucket.server.ts'
import { stampOf } from './keeping.ts'

let s3: Awaited<ReturnType<typeof openS3>>
let bucket: Bucket
before(async () => {
  s3 = await openS3()
  bucket = bucketAt({
    endpoint: s3.env.S3_ENDPOINT,
    bucket: s3.env.S3_BUCKET,
    region: 'auto',
    accessKeyId: s3.env.S3_ACCESS_KEY_ID,
    secretAccessKey: s3.env.S3_SECRET_ACCESS_KEY,
  })
})
after(() => s3.close())

const hoursAgo = (hours: number) => stampOf(new Date(Date.now() - hours * 3_600_000))
const put = (key: string) => bucket.put(key, Buffer.from('{}'))

test('a copy that was cut short takes the place of no whole one, and goes after a day', async () => {
  const [whole, cut_short, newest, under_way] = [
    '2020-03-31T021700',
    '2020-04-30T021700',
    hoursAgo(0),
    hoursAgo(1),
  ]
  for (const name of [whole, newest]) await put(`${name}/manifest.json`)
  for (const name of ['friday', whole, cut_short, newest, under_way]) await put(`${name}/tables/a`)
  const gone = await tidyBucket(bucket, { days: 0, weeks: 0, months: 2 })
  assert.deepEqual(gone, [cut_short])
  assert.deepEqual(await namesIn(bucket), [whole, newest])
  assert.deepEqual(await bucket.keys(`${cut_short}/`), [])
  for (const name of ['friday', under_way])
    assert.deepEqual(await bucket.keys(`${name}/`), [`${name}/tables/a`])
})
