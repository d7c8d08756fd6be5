const inventory = [
  '## 1. MCP Integrations (mcp.integrations)',
  'The following external tools are available via MCP:',
  '### github',
  [
    '- `github_create_issue` - Create a new issue in a repository',
    '- `github_list_issues` - List issues with optional filters',
    '- `github_get_issue` - Get details of a specific issue',
  ].join('\n'),
  '### notes',
  '- `notes_read_note`\n- `notes_write_note`',
];

const custom = [
  '## 1. MCP Integrations (mcp.integrations)',
  'External integrations are available. Use the GitHub tools to manage\nissues and the notes to remember what was decided.',
  'Available servers: github, notes\nTotal tools: 5',
];

const advanced = [
  '## 1. Advanced Tools (advanced)',
  'Advanced filesystem and database tools are available.\nUse these for complex operations.',
];

const closed = [
  '## 1. Advanced Tools (advanced)',
  'Advanced tools available. Expand for details.',
  '---\n[This section is summarized. To view full content, call `open_sections` with key "advanced".]',
];

const git = ['## 1. Git (git)', 'Working with repository at /path/to/repo'];

/** What the examples of sections with servers print: the counterparts of those in the design documents. */
export const SECTION_EXAMPLES: Readonly<Record<string, readonly unknown[][]>> = {
  'git-server.ts': [],
  'github-server.ts': [],
  'declare-servers.ts': [
    ['tools', '/usr/local/bin/mcp-server --verbose', undefined],
    ['events', 'sse', undefined],
    ['git', 'npx -y @cyanheads/git-mcp-server', 'MCP server: @cyanheads/git-mcp-server'],
    [
      'fs',
      'npx -y @modelcontextprotocol/server-filesystem /allowed/path',
      'MCP server: @modelcontextprotocol/server-filesystem',
    ],
    ['sqlite', 'uvx mcp-server-sqlite --db /path/to/db.sqlite', 'MCP server: mcp-server-sqlite'],
    ["Invalid MCP server name 'My Server'. Must match pattern: ^[a-z0-9][a-z0-9_-]{0,63}$"],
  ],
  'section-with-servers.ts': [
    [
      blocks(
        '## 1. Git Operations (git)',
        'You have access to git operations via the git MCP server.\nUse these tools to inspect and modify the repository.',
      ),
    ],
    [[{ name: 'git', description: 'MCP server: @cyanheads/git-mcp-server' }]],
  ],
  'conditional-servers.ts': [
    [['', []]],
    [blocks('## 1. Database Access (database)', 'Database available at: /data/app.db\nWrite access: false')],
    [[['mcp-server-sqlite', '--db', '/data/app.db']]],
  ],
  'closed-section.ts': [[blocks(...closed)], [0], [blocks(...advanced)], [['fs', 'sqlite']]],
  'progressive-disclosure.ts': [
    [['open_sections', 'search_tools']],
    [['open_sections', 'search_tools', 'mcp__notes__read_note']],
    [['open_sections', 'search_tools', 'mcp__notes__read_note']],
    ['You wanted to buy milk.', ['notes']],
  ],
  'small-agent.ts': [
    ['system', 2],
    ['open_sections', 'ok'],
    ['tool', 5],
    ['asked:', 'delete_note', { path: 'todo' }],
    ['mcp__notes__delete_note', 'ok'],
    ['tool', 5],
    ['The note is gone.'],
  ],
  'compose-prompts.ts': [
    [blocks(...git)],
    [['git']],
    [blocks(...git, '## 2. Changelog (changelog)', 'Keep it short.')],
    [['git', 'fs']],
  ],
  'server-policies.ts': [["Tool 'git_commit' requires: git_diff"], [[text('Committed: Fix it')]]],
  'discover-tools.ts': [[['mcp__git__git_diff: Show what changed', 'mcp__git__git_commit: Commit what changed']]],
  'integration-section.ts': [
    [
      blocks(
        '## 1. MCP Integrations (mcp.integrations)',
        'The following external tools are available via MCP:',
        '### filesystem',
      ),
    ],
    [[text('Buy milk')]],
  ],
  'integration-servers.ts': [
    ['github_get-env', 'a-token-for-github', undefined],
    ['brave_get-env', undefined, 'a-key-for-brave'],
  ],
  'integration-filter.ts': [[['github_create_issue', 'github_list_issues', 'github_get_issue']]],
  'integration-http.ts': [['remote_read_note', [text('Buy milk')]]],
  'integration-templates.ts': [[blocks(...inventory)], [blocks(...custom)]],
  'lazy-connection.ts': [[true, 'github: not connected; call connect() first'], [true, 4], [false]],
  'eager-connection.ts': [[true, 4]],
  'transactional-calls.ts': [
    ['github_create_issue', 'mcp', 'github', 'tool-error'],
    ['file_issue', 'native', undefined, 'tool-error'],
    [[]],
    ['github_create_issue', 'mcp', 'github', 'ok'],
    ['file_issue', 'native', undefined, 'ok'],
    [['It is broken']],
  ],
  'connection-pool.ts': [[[text('4 tools, connected')]], [[text('There is no such server.')]]],
};

/** The parts of a prompt with a blank line between them. */
function blocks(...parts: readonly string[]): string {
  return parts.join('\n\n');
}

function text(said: string): unknown {
  return { type: 'text', text: said };
}
