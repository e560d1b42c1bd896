//! Kubernetes, whose names are paths, and whose schemas have a keyword for a whole number or a string.

use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{Event, Pod, Service};
use k8s_openapi::api::events::v1::Event as NewEvent;
use k8s_openapi::api::networking::v1::NetworkPolicy;
use k8s_openapi::apimachinery::pkg::util::intstr::IntOrString;
use serde_json::json;

use crate::Shapes;

pub(crate) fn add(shapes: &mut Shapes) {
    shapes.add::<IntOrString>(
        "k8s_int_or_string",
        [json!(80), json!("http")],
        [json!(true), json!(null), json!([80]), json!(0.5)],
    );
    let metadata = json!({"name": "shop", "namespace": "default", "labels": {"app": "shop"}});
    let service = |port: serde_json::Value| {
        json!({
            "apiVersion": "v1", "kind": "Service", "metadata": metadata,
            "spec": {"ports": [{"port": 80, "targetPort": port}], "selector": {"app": "shop"}},
        })
    };
    shapes.add::<Service>(
        "k8s_service",
        [service(json!(8080)), service(json!("http"))],
        [service(json!({"port": 80})), service(json!(true))],
    );
    let template = json!({
        "metadata": metadata,
        "spec": {"containers": [{
            "name": "shop", "image": "shop:1",
            "ports": [{"containerPort": 8080}],
            "livenessProbe": {"httpGet": {"path": "/", "port": "http"}, "periodSeconds": 5},
            "resources": {"limits": {"memory": "64Mi"}},
        }]},
    });
    let mut pod = template.clone();
    pod["apiVersion"] = json!("v1");
    pod["kind"] = json!("Pod");
    let mut strange = pod.clone();
    strange["spec"]["containers"][0]["livenessProbe"]["periodSeconds"] = json!("often");
    shapes.add::<Pod>("k8s_pod", [pod], [strange]);
    shapes.add::<Deployment>(
        "k8s_deployment",
        [json!({
            "apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata,
            "spec": {
                "replicas": 3, "selector": {"matchLabels": {"app": "shop"}}, "template": template,
                "strategy": {"type": "RollingUpdate", "rollingUpdate": {"maxSurge": "25%", "maxUnavailable": 1}},
            },
        })],
        [json!({"apiVersion": "apps/v1", "kind": "Deployment", "spec": {"replicas": "three"}})],
    );
    shapes.add::<NetworkPolicy>(
        "k8s_network_policy",
        [json!({
            "apiVersion": "networking.k8s.io/v1", "kind": "NetworkPolicy", "metadata": metadata,
            "spec": {"podSelector": {}, "ingress": [{"ports": [{"port": 80}, {"port": "http", "endPort": 90}]}]},
        })],
        [json!({"spec": {"ingress": {}}})],
    );
    let about = json!({"kind": "Pod", "name": "shop", "namespace": "default"});
    shapes.add::<Event>(
        "k8s_event",
        [json!({
            "apiVersion": "v1", "kind": "Event", "metadata": metadata, "involvedObject": about, "count": 2,
            "firstTimestamp": "2026-01-02T03:04:05Z", "reason": "Started",
        })],
        [json!({"metadata": metadata, "involvedObject": "shop"})],
    );
    shapes.add::<NewEvent>(
        "k8s_new_event",
        [json!({
            "apiVersion": "events.k8s.io/v1", "kind": "Event", "metadata": metadata, "regarding": about,
            "eventTime": "2026-01-02T03:04:05.000006Z", "note": "Started",
        })],
        [json!({"metadata": metadata, "note": 1})],
    );
}
