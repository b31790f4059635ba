import static org.codelibs.opensearch.runner.OpenSearchRunner.newConfigs;

import org.codelibs.opensearch.runner.OpenSearchRunner;

/** One OpenSearch node on loopback, in a process of its own so that it can be killed: number, how many, folder, port. */
public class OneNode {
    public static void main(String[] arguments) throws Exception {
        int number = Integer.parseInt(arguments[0]);
        int nodes = Integer.parseInt(arguments[1]);
        int http = Integer.parseInt(arguments[3]);
        int transport = http + 100;
        StringBuilder seeds = new StringBuilder();
        StringBuilder names = new StringBuilder();
        for (int other = 1; other <= nodes; other++) {
            seeds.append(other > 1 ? "," : "").append("127.0.0.1:").append(transport - number + other);
            names.append(other > 1 ? "," : "").append("node").append(other);
        }
        OpenSearchRunner runner = new OpenSearchRunner();
        runner.onBuild((index, settings) -> {
            settings.put("discovery.type", "zen");
            settings.put("node.name", "node" + number);
            settings.put("network.host", "127.0.0.1");
            settings.put("http.port", http);
            settings.put("transport.port", transport);
            settings.put("http.cors.enabled", false);
            settings.putList("discovery.seed_hosts", seeds.toString().split(","));
            settings.putList("cluster.initial_cluster_manager_nodes", names.toString().split(","));
        }).build(newConfigs().basePath(arguments[2]).clusterName("smallprint").numOfNode(1).baseHttpPort(http - 1));
        Thread.currentThread().join();
    }
}
