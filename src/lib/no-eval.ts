// Before the first shape is made: zod tries whether it may compile them, which the content policy refuses and reports.
import { config } from 'zod'

config({ jitless: true })
