// META: title=vectors of the WebNN API gru operation
// META: global=window,dedicatedworker
// META: variant=?cpu
// META: variant=?gpu
// META: variant=?npu
// META: script=../resources/utils.js
// META: timeout=long

'use strict';

// Vectors of ONNX's recurrent operators, version 1.2.3, made by `cellproof vectors`. A tolerance is the least one
// that admits every element's interval.
const gruTests = [
{"name":"GRU-01","graph":{"inputs":{"gruInput":{"data":[0.74169921875,-1.6689453125],"descriptor":{"shape":[2,1,1],"dataType":"float16"}},"gruWeight":{"data":[0.42138671875,0.884765625,0.5986328125],"descriptor":{"shape":[1,3,1],"dataType":"float16"},"constant":true},"gruRecurrentWeight":{"data":[-0.5302734375,-0.994140625,-0.70751953125],"descriptor":{"shape":[1,3,1],"dataType":"float16"},"constant":true}},"operators":[{"name":"gru","arguments":[{"input":"gruInput"},{"weight":"gruWeight"},{"recurrentWeight":"gruRecurrentWeight"},{"steps":2},{"hiddenSize":1},{"options":{"resetAfter":true,"returnSequence":true}}],"outputs":["gruOutput","gruSequence"]}],"expectedOutputs":{"gruOutput":{"data":[-0.5],"descriptor":{"shape":[1,1,1],"dataType":"float16"}},"gruSequence":{"data":[0.25,0.25],"descriptor":{"shape":[2,1,1,1],"dataType":"float16"}}}}},
];

const gruTolerances = {"GRU-01":0.125};
const gruToleranceOfGraph = new Map(gruTests.map(({name, graph}) => [graph, gruTolerances[name]]));
const getGruPrecisionTolerance = (graphResources) =>
    ({metricType: 'ATOL', value: gruToleranceOfGraph.get(graphResources)});

if (navigator.ml) {
  gruTests.forEach((test) => {
    webnn_conformance_test(buildAndExecuteGraph, getGruPrecisionTolerance, test);
  });
} else {
  test(() => assert_implements(navigator.ml, 'missing navigator.ml'));
}
