// Set before the first shape is made: zod would try to compile shapes, which the content policy refuses and reports.
import { config } from 'zod'

config({ jitless: true })
