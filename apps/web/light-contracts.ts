import { parseAst, type Plugin } from 'vite'

/** Properties of a route that only the server reads. */
const serverProperties = new Set([
  'summary',
  'params',
  'query',
  'body',
  'bodyBytes',
  'allowsProtoNames',
  'allowsRunTokens',
  'successStatus',
  'errors',
])

/** Modules that only declare values and have no side effects. */
const declarations = /\/(?:features\/[^/]+|kit)\/(?:contract|core)\/.*\.ts$/

/** Modules of zod that convert schemas to JSON Schema, which only the server does. */
const jsonSchema = /\/zod\/v4\/core\/(?:to-json-schema|json-schema-processors)\.js$/

interface Node {
  type: string
  start: number
  end: number
  [key: string]: unknown
}

/** Replaces a part of the code; `start` equals `end` for an insertion. */
interface Edit {
  start: number
  end: number
  text: string
}

/**
 * Removes validation from the code that a page loads first. The server validates each call, so the client of a route
 * needs only its method and path:
 *
 * - Routes lose their schemas; `output` stays as a mark that the response is JSON.
 * - Calls at the top level of contracts and core files are marked as pure, so the bundler removes schemas that no page uses.
 * - Descriptions of fields are removed: only the reference documentation contains them.
 * - Statements at the top level are removed: they configure validation, which forms of the web application do on their own.
 */
export function stripRouteSchemas(): Plugin {
  return {
    name: 'light-contracts',
    enforce: 'post',
    transform: {
      filter: { id: declarations },
      handler: (code) => ({ code: lightenContract(code), map: null }),
    },
  }
}

/** Removes the functions of zod that convert schemas to JSON Schema; without this, every schema refers to them. */
export function noJsonSchema(): Plugin {
  return {
    name: 'no-json-schema',
    transform: {
      filter: { id: jsonSchema },
      handler: (code) => ({
        code: code.replace(
          /^export const (\w+Processor|create\w+Method) = /gm,
          'export const $1 = () => undefined\nconst $1Unused = ',
        ),
        map: null,
      }),
    },
  }
}

/** Returns JavaScript code of a contract without the schemas of its routes, with pure calls at the top level. */
export function lightenContract(code: string): string {
  return apply(code, editsOf(code))
}

function editsOf(code: string): Edit[] {
  const program = parseAst(code) as unknown as Node
  const edits: Edit[] = []
  const marked = new Set<number>()
  function visit(node: Node) {
    if (/Function|Class/.test(node.type)) return
    const described = describedOf(node)
    if (described !== undefined) {
      edits.push({ start: described.end, end: node.end, text: '' })
      visit(described)
      return
    }
    if (node.type === 'CallExpression' || node.type === 'NewExpression') {
      if (!marked.has(node.start))
        edits.push({ start: node.start, end: node.start, text: '/* @__PURE__ */ ' })
      marked.add(node.start)
      const route = routeOf(node)
      if (route !== undefined) {
        edits.push(editOfRoute(route, code))
        return
      }
    }
    for (const child of childrenOf(node)) visit(child)
  }
  for (const statement of program['body'] as Node[]) {
    if (statement.type === 'ExpressionStatement')
      edits.push({ start: statement.start, end: statement.end, text: '' })
    const declaration =
      statement.type === 'ExportNamedDeclaration' ? (statement['declaration'] as Node | null) : statement
    if (declaration?.type === 'VariableDeclaration') visit(declaration)
  }
  return edits
}

/** Returns the object of a call `defineRoute({…})`; undefined for other calls. */
function routeOf(call: Node): Node | undefined {
  const callee = call['callee'] as Node & { name?: string }
  const [argument] = call['arguments'] as Node[]
  return callee.name === 'defineRoute' && argument?.type === 'ObjectExpression' ? argument : undefined
}

/** Returns the schema of a call `schema.describe(…)`; undefined for other nodes. */
function describedOf(node: Node): Node | undefined {
  if (node.type !== 'CallExpression') return undefined
  const { object, property } = node['callee'] as Node & { object?: Node; property?: { name?: string } }
  return property?.name === 'describe' ? object : undefined
}

/** Replaces the object of a route by one with the properties that a client needs. */
function editOfRoute(route: Node, code: string): Edit {
  const texts = (route['properties'] as Node[]).flatMap((property) => {
    const { name } = (property['key'] ?? {}) as { name?: string }
    if (name === 'output') return ['output: true']
    return name !== undefined && serverProperties.has(name) ? [] : [code.slice(property.start, property.end)]
  })
  return { start: route.start, end: route.end, text: `{ ${texts.join(', ')} }` }
}

function childrenOf(node: Node): Node[] {
  return Object.values(node)
    .flat()
    .filter((value): value is Node => typeof value === 'object' && value !== null && 'type' in value)
}

function apply(code: string, edits: readonly Edit[]): string {
  return edits
    .toSorted((a, b) => b.start - a.start)
    .reduce((text, { start, end, text: added }) => text.slice(0, start) + added + text.slice(end), code)
}
