// The destination of traces, by the names that OpenTelemetry gives these settings.
import { z } from 'zod'
import { address, setting, text } from './setting-shapes.ts'

export const tracing_settings = {
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(
    'A receiver of OpenTelemetry traces (OTLP as JSON over HTTP; /v1/traces is added). Default: none are made.',
    address.optional(),
    'http://127.0.0.1:4318',
  ),
  OTEL_EXPORTER_OTLP_HEADERS: setting(
    'Headers for it, as name=value, separated by commas.',
    text,
    'authorization=Bearer%20secret',
  ),
  OTEL_SERVICE_NAME: setting(
    'The name of the service in traces.',
    z.string().default('healthfund'),
  ),
  OTEL_RESOURCE_ATTRIBUTES: setting(
    'What else to say of this process in traces, as name=value, separated by commas.',
    text,
    'deployment.environment.name=production',
  ),
  OTEL_TRACES_SAMPLER_ARG: setting(
    'The share of requests and jobs that are traced, from 0 to 1. A proxy’s decision goes before it.',
    z.coerce.number('must be a number').min(0).max(1).default(1),
  ),
} as const
