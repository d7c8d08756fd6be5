import { MarkdownSection, McpServer, PromptTemplate } from 'fairlead';

const git = McpServer.npm('git', '@cyanheads/git-mcp-server');

/** A section with what it needs, to be used in any prompt. */
function gitSection(repository: string): MarkdownSection {
  return new MarkdownSection({
    title: 'Git',
    key: 'git',
    template: `Working with repository at ${repository}`,
    mcps: [git],
  });
}

/** Needs git too; two sections may declare the same server. */
function changelogSection(): MarkdownSection {
  const files = McpServer.npm('fs', '@modelcontextprotocol/server-filesystem', ['.']);
  return new MarkdownSection({ title: 'Changelog', key: 'changelog', template: 'Keep it short.', mcps: [git, files] });
}

const codeReview = new PromptTemplate({ ns: 'reviews', key: 'code-review', sections: [gitSection('/path/to/repo')] });
const release = new PromptTemplate({
  ns: 'releases',
  key: 'prepare-release',
  sections: [gitSection('/path/to/repo'), changelogSection()],
});
for (const template of [codeReview, release]) {
  const { text, mcps } = await template.bind().render();
  console.log(text);
  console.log(mcps.map(({ name }) => name));
}
