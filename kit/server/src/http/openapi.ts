import { z } from 'zod'
import { bodyBytesOf, errorShape, type Route } from '@headwater/contract'

/**
 * Describes routes as an OpenAPI 3.1 document.
 * @param routes every route of the server
 * @param info title and version of the document
 */
export function openApiDocument(routes: readonly Route[], info: { title: string; version: string }) {
  const paths: Record<string, Record<string, unknown>> = {}
  for (const route of routes) {
    const path = route.path.replace(/:([A-Za-z]+)/g, '{$1}')
    paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation(route) }
  }
  return {
    openapi: '3.1.0',
    info,
    paths,
    components: {
      securitySchemes: {
        bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
        basic: { type: 'http', scheme: 'basic' },
        apiKey: { type: 'apiKey', in: 'header', name: 'Authorization', description: '`ApiKey NG_…`' },
      },
      schemas: { Error: jsonSchema(errorShape, 'output') },
    },
  }
}

function operation(route: Route) {
  return {
    operationId: route.name,
    summary: route.summary,
    description: [permissionText(route), runsText(route), bodyText(route), errorsText(route)]
      .filter((text) => text !== '')
      .join('\n\n'),
    security: route.permission === 'public' ? [] : [{ bearer: [] }, { basic: [] }, { apiKey: [] }],
    parameters: [...parameters(route.params, 'path'), ...parameters(route.query, 'query')],
    ...(route.bodyKind === 'stream'
      ? { requestBody: { content: { 'application/octet-stream': {} } } }
      : route.body === undefined
        ? {}
        : {
            requestBody: {
              content: {
                [route.bodyKind === 'text' ? 'text/plain' : 'application/json']: {
                  schema: jsonSchema(route.body, 'input'),
                },
              },
            },
          }),
    responses: {
      [route.successStatus ?? 200]: {
        description: 'Success',
        ...(route.output === undefined
          ? {}
          : { content: { 'application/json': { schema: jsonSchema(route.output, 'output') } } }),
      },
      default: {
        description: 'The server rejected the request, or an unexpected error occurred.',
        content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } },
      },
    },
  }
}

function permissionText({ permission }: Route): string {
  if (permission === 'public') return 'Requires no sign-in.'
  if (permission === 'signed-in') return 'Requires a signed-in user.'
  return `Requires the entitlement ${permission.resource} (${permission.mode}).`
}

function runsText({ allowsRunTokens = false }: Route): string {
  return allowsRunTokens ? 'Code of a run can call it.' : ''
}

function bodyText(route: Route): string {
  if (route.body === undefined || route.bodyKind === 'stream') return ''
  return `The body has at most ${bodyBytesOf(route).toLocaleString('en')} bytes.`
}

function errorsText({ errors = [] }: Route): string {
  return errors.length === 0 ? '' : `Errors: ${errors.join(', ')}.`
}

function parameters(schema: z.ZodType | undefined, location: 'path' | 'query') {
  if (schema === undefined) return []
  const { properties = {}, required = [] } = jsonSchema(schema, 'input') as {
    properties?: Record<string, { description?: string }>
    required?: string[]
  }
  return Object.entries(properties).map(([name, { description, ...property }]) => ({
    name,
    in: location,
    required: location === 'path' || required.includes(name),
    ...(description === undefined ? {} : { description }),
    schema: property,
  }))
}

function jsonSchema(schema: z.ZodType, io: 'input' | 'output') {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' })
  return rest
}
