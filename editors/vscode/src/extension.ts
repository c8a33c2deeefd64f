// Starts `hmc lsp`, which does the work, and ends it.
import { type ExtensionContext, commands, window, workspace } from "vscode";
import { LanguageClient, type LanguageClientOptions, type ServerOptions } from "vscode-languageclient/node";

let client: LanguageClient | undefined;

function server(): ServerOptions {
  const settings = workspace.getConfiguration("hmc");
  const models = settings.get<string[]>("models", []);
  const args = ["lsp", "--timeout", String(settings.get<number>("timeout", 60))];
  if (models.length > 0) args.push("--cat", models.join(","));
  return { command: settings.get<string>("path", "hmc"), args, options: { cwd: workspace.workspaceFolders?.[0]?.uri.fsPath } };
}

async function start(): Promise<void> {
  const options: LanguageClientOptions = {
    documentSelector: [{ language: "cat" }, { language: "bell" }, { language: "litmus" }, { pattern: "**/*.def" }],
    synchronize: { fileEvents: workspace.createFileSystemWatcher("**/*.{cat,bell,def}") },
  };
  client = new LanguageClient("hmc", "hmc", server(), options);
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    window.showErrorMessage(`hmc cannot be started: ${error}. The setting hmc.path names the program.`);
  }
}

export async function activate(context: ExtensionContext): Promise<void> {
  const again = async () => {
    await client?.stop();
    await start();
  };
  context.subscriptions.push(workspace.onDidChangeConfiguration((change) => (change.affectsConfiguration("hmc") ? again() : undefined)));
  context.subscriptions.push(commands.registerCommand("hmc.restart", again));
  await start();
}

export async function deactivate(): Promise<void> {
  await client?.stop();
}
